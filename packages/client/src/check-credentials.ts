import { type AuthRejectedError, isPaymentError, type PaymentError } from '@tallystick/core'
import { newClientOrderId } from './call/client-order-id.ts'
import { answerOrError } from './call/errors.ts'
import { read } from './call/read.ts'
import { saysNoSuchOrder } from './call/refusals.ts'
import { logLine } from './diagnostics.ts'
import type { Dependencies } from './options.ts'
import type { CallOptions } from './result.ts'

/** What a gateway's answer says about a login and a control key. */
export type CredentialCheck =
  /** The gateway looked for the order, so it accepted the login and the control key. */
  | { readonly credentials: 'right' }
  /** It refused the signature. */
  | {
      readonly credentials: 'wrong'
      readonly error: AuthRejectedError
      /** What to compare, as a sentence. */
      readonly remedy: string
    }
  /** It could not be asked, or what came says nothing about them, such as a proxy's 403. */
  | {
      readonly credentials: 'unclear'
      /** None if the gateway knows the order, which cannot exist. */
      readonly error: PaymentError | undefined
      readonly remedy: string
    }

/** Asks the status of an order that cannot exist. */
export async function checkCredentials(options: CallOptions, deps: Dependencies): Promise<CredentialCheck> {
  const check = await lookedUp(options, { ...deps, log: undefined })
  logLine(`credentials: ${check.credentials}`, deps)
  return check
}

/** Logs no line about this status: that the gateway refuses it is as it should be. */
async function lookedUp(options: CallOptions, deps: Dependencies): Promise<CredentialCheck> {
  const clientOrderId = newClientOrderId(deps.clock)
  const reply = await answerOrError(() => read('status', { clientOrderId }, options, deps))
  if (!isPaymentError(reply)) return { credentials: 'unclear', error: undefined, remedy: STAND_IN }
  if (reply.code === 'AUTH_REJECTED' && reply.isReply)
    return { credentials: 'wrong', error: reply, remedy: reply.remedy }
  if (saysNoSuchOrder(reply)) return { credentials: 'right' }
  return { credentials: 'unclear', error: reply, remedy: `Could not check the credentials. ${reply.message}` }
}

const STAND_IN = 'The gateway knows an order that cannot exist: check baseUrl, it may be a stand-in.'
