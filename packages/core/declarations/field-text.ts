import type { ModelField } from '../src/models/field.ts'

/** A field as an operation uses it. */
export interface Use {
  readonly operation: string
  readonly field: ModelField
}

/**
 * What an editor shows for a field of requests: its meaning, its shape and length, when it is required, how it is spelled on the
 * wire and which part of the specification names it. If operations differ, what most of them have comes first. Empty if no
 * operation uses it.
 */
export function fieldText(uses: readonly Use[]): string {
  if (uses.length === 0) return ''
  const meaning = byOperation(uses, ({ meaning }) => meaning)
  const bound = byOperation(uses, ({ format }) => `${format.bound}.`)
  return [meaning, capital(bound), ...conditions(uses), spelling(uses)].join(' ')
}

/** Only the meaning: a gateway's text has no shape that a reader could rely on. */
export function meaningOf(uses: readonly Use[]): string {
  return byOperation(uses, ({ meaning }) => meaning)
}

function byOperation(uses: readonly Use[], say: (field: ModelField) => string): string {
  const [most, ...others] = grouped(uses, say).sort(([, some], [, more]) => more.length - some.length)
  const exceptions = others.map(([text, operations]) => `In ${operations.join(', ')}: ${text}`)
  return [most?.[0], ...exceptions].join(' ')
}

function conditions(uses: readonly Use[]): readonly string[] {
  const conditional = uses.filter(({ field }) => field.condition !== undefined)
  const each = grouped(conditional, ({ condition }) => `Required ${condition}`)
  return each.map(([text, operations]) => (each.length === 1 ? `${text}.` : `${text} (${operations.join(', ')}).`))
}

function spelling(uses: readonly Use[]): string {
  const names = grouped(uses, ({ wireName }) => `\`${wireName}\``).map(([name]) => name)
  const parts = grouped(uses, ({ origin }) => (origin.kind === 'stated' ? origin.part : '')).map(([part]) => part)
  const stated = parts.filter((part) => part !== '')
  const source = stated.length === 0 ? '' : ` (specification part ${stated.join(', ')})`
  return `Sent as ${names.join(', ')}${source}.`
}

function grouped(uses: readonly Use[], say: (field: ModelField) => string) {
  const operations = new Map<string, readonly string[]>()
  for (const { operation, field } of uses) {
    operations.set(say(field), [...(operations.get(say(field)) ?? []), operation])
  }
  return [...operations]
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
