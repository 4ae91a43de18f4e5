import type { Fields } from '../support/signed-requests.ts'

const bigintText = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

/** As JSON, which has no bigints of its own. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, bigintText) ?? 'undefined'
}

/** @throws Error if the two differ, with both in words for the reader of a failed history */
export function same(what: string, is: unknown, should: unknown): void {
  const [one, other] = [textOf(is), textOf(should)]
  if (one !== other) throw new Error(`${what}:\n  is        ${one}\n  should be ${other}`)
}

/** Those of the fields that are there. */
export function only(fields: Fields, ...names: string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}
