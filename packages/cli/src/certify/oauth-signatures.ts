import type { PaymentClient } from '@tallystick/client'
import { isPaymentError, type OAuthMethod, type PaymentError } from '@tallystick/core'
import { type Candidate, type Changes, claim, Finding, isPage, NotTried, neededByMany, requireReply } from './check.ts'
import { isNowhere } from './is-nowhere.ts'

interface Question {
  readonly operation: string
  /** Asks about something that there is not. Nothing changes, and the answer tells whether the signature was accepted. */
  readonly ask: (client: PaymentClient) => Promise<PaymentError | undefined>
  /** A field of it that is signed. */
  readonly field: string
}

export const QUESTIONS: Readonly<Record<OAuthMethod, Question>> = {
  'HMAC-SHA1': {
    operation: 'pan-eligibility/send',
    ask: async (client) => {
      const card = { clientOrderId: client.newClientOrderId(), sendingCardRefId: '1' }
      return await client.panEligibilitySend(card).then(() => undefined, failure)
    },
    field: 'sending_card_ref_id',
  },
  'RSA-SHA256': {
    operation: 'api/v4/create-card-ref',
    ask: async (client) => {
      const order = { clientOrderId: client.newClientOrderId(), orderId: '100000000000000' }
      const result = await client.createCardRefV4(order)
      return result.outcome === 'accepted' ? undefined : result.error
    },
    field: 'orderid',
  },
}

function failure(error: unknown): PaymentError {
  if (isPaymentError(error)) return error
  throw error
}

/** The error in the answer to a question that is signed by this method. */
async function errorIn(
  method: OAuthMethod,
  { otherwise }: Candidate,
  changes: Changes,
): Promise<PaymentError | undefined> {
  const { ask, operation } = QUESTIONS[method]
  const error = await otherwise({ ...changes, readAttempts: 1 }, ask)
  // A gateway without the operation has verified nothing.
  if (error !== undefined && isNowhere(error)) throw new NotTried(`it has no ${operation}`)
  return error
}

/**
 * That the order or the card does not exist is an answer to a signature that was accepted.
 *
 * @throws Finding if it was not. NotTried if one was not before: all checks of this method would find the same.
 */
export async function signatureAccepted(
  method: OAuthMethod,
  candidate: Candidate,
  changes: Changes = {},
): Promise<void> {
  if (method === 'RSA-SHA256' && !candidate.hasPrivateKey)
    throw new NotTried("give --private-key-file, the merchant's RSA key")
  await neededByMany(`accepted signature by ${method}`, candidate, async () => {
    const error = await errorIn(method, candidate, changes)
    if (error === undefined || error.code === 'REJECTED') return
    requireReply(
      'a right signature',
      error,
      isRefusingPage(error) ? ` Only if it was the gateway: ${WHY_REFUSED}.` : '',
    )
    throw new Finding(
      error.code === 'AUTH_REJECTED'
        ? `a right signature was refused: ${WHY_REFUSED}`
        : `a right signature got no answer: ${error.message}`,
    )
  })
}

const WHY_REFUSED =
  'the gateway may know another address than --base-url, such as that behind a proxy, another time, or another key'

/** The body of a 401 or 403 is not specified (part 7): such a page is the gateway's, or that of a proxy. */
function isRefusingPage(error: PaymentError): boolean {
  return isPage(error) && (error.httpStatus === 401 || error.httpStatus === 403)
}

export async function signatureRefused(method: OAuthMethod, candidate: Candidate, changes: Changes): Promise<void> {
  const error = await errorIn(method, candidate, changes)
  // It may be the gateway's. A proxy that has shut meanwhile refuses what is right as well.
  if (error !== undefined && isRefusingPage(error)) return await signatureAccepted(method, candidate)
  requireReply('the signature', error)
  claim(error?.code === 'AUTH_REJECTED', `the signature was not refused: ${error?.message ?? 'it was a success'}`)
}
