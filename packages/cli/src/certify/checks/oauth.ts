import type { OutgoingRequest, PaymentClient } from '@tallystick/client'
import { isPaymentError, type PaymentError, parseForm } from '@tallystick/core'
import { hmacKey, signOAuth } from '@tallystick/signing'
import { type Candidate, type Changes, type Check, claim, Finding, NotTried, neededByMany } from '../check.ts'
import { isNowhere } from '../is-nowhere.ts'
import { tampered, withFields } from '../tampered.ts'

type Method = 'HMAC-SHA1' | 'RSA-SHA256'

interface Question {
  readonly operation: string
  /** Asks about something that there is not. Nothing changes, and the answer tells whether the signature was accepted. */
  readonly ask: (client: PaymentClient) => Promise<PaymentError | undefined>
  /** A field of it that is signed. */
  readonly field: string
}

const QUESTIONS: Readonly<Record<Method, Question>> = {
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

const HOUR_MS = 3_600_000

const NONCES = 'part 5.2; RFC 5849 section 3.3'

/** What protects the merchant's payouts and transfers from everybody else. */
export const oauthChecks: readonly Check[] = [
  ...checksOf('HMAC-SHA1'),
  ...checksOf('RSA-SHA256'),
  {
    claim: 'refuses HMAC-SHA1 for an operation that RSA-SHA256 signs',
    source: 'part 5.2',
    run: async (candidate) => {
      await accepted('RSA-SHA256', candidate)
      const transport = tampered(candidate.transport(), (request) => signedByHmac(request, candidate))
      await refused('RSA-SHA256', candidate, { transport })
    },
  },
]

function checksOf(method: Method): readonly Check[] {
  const { field } = QUESTIONS[method]
  return [
    {
      claim: `accepts an OAuth signature by ${method}`,
      source: 'part 5.2',
      run: async (candidate) => await accepted(method, candidate),
    },
    {
      claim: `refuses a wrong signature by ${method}`,
      source: 'part 5.2',
      run: async (candidate) => {
        await accepted(method, candidate)
        await refused(method, candidate, { transport: tampered(candidate.transport(), withOtherSignature) })
      },
    },
    {
      claim: `refuses another field under the same signature by ${method}`,
      source: 'part 5.2',
      run: async (candidate) => {
        await accepted(method, candidate)
        const change = withFields({ [field]: '100000000000001' })
        await refused(method, candidate, { transport: tampered(candidate.transport(), change) })
      },
    },
    {
      claim: `refuses a request that was signed an hour ago by ${method}`,
      source: NONCES,
      run: async (candidate) => {
        await accepted(method, candidate)
        const clock = { now: () => candidate.now() - HOUR_MS, schedule: candidate.schedule }
        await refused(method, candidate, { clock })
      },
    },
    {
      claim: `refuses a nonce that was used before, by ${method}`,
      source: NONCES,
      run: async (candidate) => {
        const [nonce, now] = [candidate.client.newClientOrderId(), candidate.now()]
        const repeated = { nonce: () => nonce, clock: { now: () => now, schedule: candidate.schedule } }
        await accepted(method, candidate, repeated)
        await refused(method, candidate, repeated)
      },
    },
  ]
}

/** Another first character: the last ones of a signature only pad it. */
function withOtherSignature(request: OutgoingRequest): OutgoingRequest {
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
function signedByHmac(request: OutgoingRequest, { login, controlKey, client, now }: Candidate): OutgoingRequest {
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

/** The code of the answer to a question that is signed by this method. */
async function answerTo(method: Method, { otherwise }: Candidate, changes: Changes): Promise<string | undefined> {
  const { ask, operation } = QUESTIONS[method]
  const error = await otherwise({ ...changes, readAttempts: 1 }, ask)
  // A gateway without the operation has verified nothing.
  if (error !== undefined && isNowhere(error)) throw new NotTried(`it has no ${operation}`)
  return error?.code
}

/**
 * That the order or the card does not exist is an answer to a signature that was accepted.
 *
 * @throws Finding if it was not. NotTried if one was not before: all checks of this method would find the same.
 */
async function accepted(method: Method, candidate: Candidate, changes: Changes = {}): Promise<void> {
  if (method === 'RSA-SHA256' && !candidate.hasPrivateKey)
    throw new NotTried("give --private-key-file, the merchant's RSA key")
  await neededByMany(`accepted signature by ${method}`, candidate, async () => {
    const code = await answerTo(method, candidate, changes)
    if (code === undefined || code === 'REJECTED') return
    throw new Finding(`a right signature was answered with ${code}${code === 'AUTH_REJECTED' ? WHY_REFUSED : ''}`)
  })
}

const WHY_REFUSED =
  ': the gateway may know another address than --base-url, such as that behind a proxy, another time, or another key'

async function refused(method: Method, candidate: Candidate, changes: Changes): Promise<void> {
  const code = await answerTo(method, candidate, changes)
  claim(code === 'AUTH_REJECTED', `it was answered with ${code ?? 'success'}, not with a refusal of the signature`)
}
