import { UsageError } from '../usage-error.ts'

/** Seconds since 1970. @throws UsageError that names the option */
export function secondsSince1970(text: string, option: string): number {
  if (/^\d{10}$/.test(text)) return Number(text)
  throw new UsageError(`${option} takes seconds since 1970, such as 1893456000`)
}
