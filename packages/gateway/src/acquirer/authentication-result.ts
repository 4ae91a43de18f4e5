import { readCRes } from '../acs/challenge-messages.ts'
import { readPaRes } from '../acs/pareq-messages.ts'
import type { SimulatedTransaction } from '../acs/transaction.ts'
import type { Verdict } from '../acs/verdict.ts'
import type { AuthenticationResult } from './acquirer.ts'

/**
 * The verdict of a CRes or a PaRes. `undefined`: the simulated access control server did not write it for this
 * authentication, or it was changed.
 *
 * - CRes: EMV JSON, in base64 or base64url.
 * - PaRes: XML, deflated as 3-D Secure 1.0.2 sends it or plain, in base64.
 */
export function verdictOf(
  { step, value }: AuthenticationResult,
  transaction: SimulatedTransaction,
): Verdict | undefined {
  return step === 'challenge' ? readCRes(transaction, value) : readPaRes(transaction, value)
}
