import type { Fields } from '../support/signed-requests.ts'

const bigintText = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

/** As text, also of amounts in minor units. */
export function textOf(value: unknown): string {
  return JSON.stringify(value, bigintText) ?? 'undefined'
}

/** @throws Error when something is not what it should be, in words for whoever reads a history that has failed */
export function same(what: string, is: unknown, should: unknown): void {
  const [one, other] = [textOf(is), textOf(should)]
  if (one !== other) throw new Error(`${what}:\n  is        ${one}\n  should be ${other}`)
}

/** These fields, as far as they are there. */
export function only(fields: Fields, ...names: string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}
