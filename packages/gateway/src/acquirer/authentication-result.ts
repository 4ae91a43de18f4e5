import { readCRes } from '../acs/challenge-messages.ts'
import { readPaRes } from '../acs/pareq-messages.ts'
import type { SimulatedTransaction } from '../acs/transaction.ts'
import type { Verdict } from '../acs/verdict.ts'
import type { AuthenticationResult } from './acquirer.ts'

/**
 * What a CRes or a PaRes says of the customer, where the simulated access control server has written it for this very
 * authentication. `undefined`: it has not, or something in it was changed.
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
