import { markOf, type Verdict, verdictIn } from './authentication-result.ts'
import { inBase64url } from './json-in-base64.ts'
import type { SimulatedTransaction } from './simulated-transaction.ts'

/** Messages of a 3DS 2 challenge in the browser (EMV 3-D Secure): JSON in base64url. */

const VERSION = '2.2.0'

/** Which of the five sizes of the challenge window: full screen. */
const FULL_SCREEN = '05'

export function creqOf({ threeDsServerTransId, acsTransId }: SimulatedTransaction): string {
  return inBase64url({
    threeDSServerTransID: threeDsServerTransId,
    acsTransID: acsTransId,
    messageType: 'CReq',
    messageVersion: VERSION,
    challengeWindowSize: FULL_SCREEN,
  })
}

/** The CRes at the end of the challenge. Its extension holds the mark. */
export function cresOf(transaction: SimulatedTransaction, verdict: Verdict): string {
  return inBase64url(finalMessage(transaction, verdict))
}

/** The verdict of a CRes. `undefined`: it is not of this challenge, or was changed on the way. */
export function readCRes(transaction: SimulatedTransaction, cRes: string): Verdict | undefined {
  return verdictIn(Buffer.from(cRes, 'base64'), (verdict) => JSON.stringify(finalMessage(transaction, verdict)))
}

function finalMessage(transaction: SimulatedTransaction, verdict: Verdict) {
  const { threeDsServerTransId, acsTransId } = transaction
  return {
    threeDSServerTransID: threeDsServerTransId,
    acsTransID: acsTransId,
    messageType: 'CRes',
    messageVersion: VERSION,
    challengeCompletionInd: 'Y',
    transStatus: verdict === 'authenticated' ? 'Y' : 'N',
    // 01: the customer pressed "Cancel".
    ...(verdict === 'cancelled' ? { challengeCancel: '01' } : {}),
    messageExtension: [
      { name: 'simulated', id: 'simulated', criticalityIndicator: false, data: { mark: markOf(transaction, verdict) } },
    ],
  }
}
