/** Absent, `undefined`, `null` and blank values all count as not supplied (gaps part 2.4). */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
