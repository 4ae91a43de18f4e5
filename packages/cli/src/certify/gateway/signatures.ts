import type { OutgoingRequest, PaymentClient, Transport } from '@tallystick/client'
import { isPaymentError, type OAuthMethod, type PaymentError, parseForm, serializeForm } from '@tallystick/core'
import { hmacKey, signOAuth } from '@tallystick/signing'
import {
  type Candidate,
  type Changes,
  claim,
  Finding,
  isNowhere,
  isPage,
  NotTried,
  neededByMany,
  requireReply,
} from './check.ts'
import { acceptedToo, nothingCreated, payment, refused } from './orders.ts'

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

/** Another first character: the last ones of a signature only pad it. */
export function withOtherSignature(request: OutgoingRequest): OutgoingRequest {
  const { authorization = '' } = request.headers
  return {
    ...request,
    headers: { ...request.headers, authorization: otherSignatureIn(authorization) },
    body: otherSignatureIn(request.body),
  }
}

function otherSignatureIn(text: string): string {
  return text.replace(
    /(oauth_signature="?)(%..|.)/,
    (_, name: string, first: string) => name + (first === 'A' ? 'B' : 'A'),
  )
}

/** Signed anew by the other method, with the right key. */
export function signedByHmac(request: OutgoingRequest, { login, controlKey, client, now }: Candidate): OutgoingRequest {
  const parameters = parseForm(request.body).filter(([name]) => !name.startsWith('oauth_'))
  const signed = signOAuth({
    method: 'HMAC-SHA1',
    key: hmacKey(controlKey),
    httpMethod: 'POST',
    url: request.url,
    parameters,
    consumerKey: login,
    nonce: client.newClientOrderId(),
    timestamp: Math.floor(now() / 1000),
  })
  return { ...request, headers: { ...request.headers, authorization: signed.authorization }, body: signed.body }
}

/** A transport that changes requests on their way. A status goes as it is: it tells what became of the others. */
export function tampered(transport: Transport, change: (request: OutgoingRequest) => OutgoingRequest): Transport {
  const isStatus = ({ url }: OutgoingRequest) => /\/status\/(?:group\/)?\d+$/.test(url)
  return {
    send: async (request, options) => await transport.send(isStatus(request) ? request : change(request), options),
    close: async () => await transport.close(),
  }
}

/** Gives fields another value, or leaves them out. The signature stays as it was. */
export function withFields(changes: Readonly<Record<string, string | undefined>>) {
  return (request: OutgoingRequest): OutgoingRequest => {
    const fields = new Map(parseForm(request.body))
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) fields.delete(name)
      else fields.set(name, value)
    }
    return { ...request, body: serializeForm([...fields]) }
  }
}

/**
 * Sends a sale with these fields changed after it was signed.
 *
 * @throws Finding if it is accepted, or leaves an order. NotTried if a sale is not accepted without changes either
 */
export async function refusesChanged(
  changes: Readonly<Record<string, string | undefined>>,
  candidate: Candidate,
): Promise<void> {
  acceptedToo('a sale', await candidate.client.sale(payment(candidate)))
  const input = payment(candidate)
  const transport = tampered(candidate.transport(), withFields(changes))
  const result = await candidate.otherwise({ transport }, async (client) => await client.sale(input))
  // A page may be a proxy's that has shut meanwhile: then it refuses what is right as well.
  const isRefusedByPage = result.outcome === 'rejected' && isPage(result.error)
  if (isRefusedByPage) acceptedToo('another sale', await candidate.client.sale(payment(candidate)))
  refused('the sale', result)
  await nothingCreated(input.clientOrderId, candidate)
}
