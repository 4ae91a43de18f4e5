import { inflateSync } from 'node:zlib'
import type { AuthenticationResult } from './acquirer.ts'

/** A PaRes that was made to fill the memory inflates no further. */
const MAX_INFLATED_BYTES = 65_536

/**
 * Whether a CRes or a PaRes says that the customer was authenticated, or that it was at least attempted (`A`). Both are
 * taken in base64 and in base64url. The simulator has no issuer whose signature it could check.
 *
 * - CRes: JSON with `transStatus` (EMV 3-D Secure).
 * - PaRes: XML with `<status>`, deflated as 3-D Secure 1.0.2 sends it or plain.
 */
export function isAuthenticated({ step, value }: AuthenticationResult): boolean {
  const bytes = Buffer.from(value, 'base64')
  const status = step === 'challenge' ? transStatusOf(bytes) : paResStatusOf(bytes)
  return status === 'Y' || status === 'A'
}

function transStatusOf(bytes: Buffer): unknown {
  try {
    const cRes: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof cRes === 'object' && cRes !== null && 'transStatus' in cRes ? cRes.transStatus : undefined
  } catch {
    return undefined
  }
}

function paResStatusOf(bytes: Buffer): string | undefined {
  return /<status>\s*([A-Z])\s*<\/status>/.exec(inflated(bytes).toString('utf8'))?.[1]
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_INFLATED_BYTES })
  } catch {
    return bytes
  }
}
