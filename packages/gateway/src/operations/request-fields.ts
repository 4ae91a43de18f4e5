import type { OperationKey, RequestValues } from '@tallystick/core'
import type { Particulars } from '../acquirer/acquirer.ts'

/** Fields for the gateway alone, or handed over with the card. */
const NOT_PARTICULAR: ReadonlySet<string> = new Set(['login', 'endpoint', 'expireMonth', 'expireYear'])

/** What the acquirer receives of a request besides its card. Card numbers and CVVs are no plain texts, so they are left out. */
export function particularsOf({ extra, ...values }: RequestValues<OperationKey>): Particulars {
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries<unknown>(values)) {
    const isText = typeof value === 'string' || typeof value === 'boolean'
    if (isText && !NOT_PARTICULAR.has(name)) fields[name] = String(value)
  }
  return { fields, extra }
}
