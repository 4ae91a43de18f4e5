/** Undocumented fields by their wire names, passed through as they are. */
export type Extra = Readonly<Record<string, string>>

/** A record that leaves out no name: zod's own drops `__proto__`. */
export function isExtra(value: unknown): value is Extra {
  if (Object.prototype.toString.call(value) !== '[object Object]') return false
  return Object.values(value as object).every((text) => typeof text === 'string')
}

export function copyOfExtra(value: unknown): Extra | undefined {
  return isExtra(value) ? { ...value } : undefined
}

/** Absent, `undefined`, `null` and blank values all count as not supplied (gaps part 2.4). */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
