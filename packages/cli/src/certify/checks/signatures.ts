import { isPaymentError } from '@tallystick/core'
import { type Candidate, type Check, claim, Finding, NotTried, needs } from '../check.ts'
import { isNowhere } from '../is-nowhere.ts'
import { refusesChanged } from '../refuses-changed.ts'

const HOUR_MS = 3_600_000

const NONCES = 'part 5.2; RFC 5849 section 3.3'

/** On this all others depend. */
export const credentialsCheck: Check = {
  claim: 'accepts the login, the endpoint and the control key',
  source: 'part 5.1',
  run: async ({ client }) => {
    const check = await client.checkCredentials()
    if (check.credentials !== 'right') throw new Finding(check.remedy)
  },
}

/** What protects the merchant from everybody else. */
export const signatureChecks: readonly Check[] = [
  {
    claim: 'refuses a wrong control, and creates nothing',
    source: 'part 5.1',
    run: async (candidate) => await refusesChanged({ control: '0'.repeat(40) }, candidate),
  },
  {
    claim: 'refuses a sale without a control, and creates nothing',
    source: 'part 5.1',
    run: async (candidate) => await refusesChanged({ control: undefined }, candidate),
  },
  {
    claim: 'refuses another amount under the same control, and creates nothing',
    source: 'part 5.1',
    run: async (candidate) => await refusesChanged({ amount: '1.00' }, candidate),
  },
  {
    claim: 'accepts an OAuth signature by HMAC-SHA1',
    source: 'part 5.2',
    run: async (candidate) => await signatureAccepted(candidate, {}),
  },
  {
    claim: 'refuses an OAuth signature by another key',
    source: 'part 5.2',
    run: async (candidate) => {
      await signatureAccepted(candidate, {})
      await signatureRefused(candidate, { controlKey: 'another key' })
    },
  },
  {
    claim: 'refuses an OAuth request that was signed an hour ago',
    source: NONCES,
    run: async (candidate) => {
      await signatureAccepted(candidate, {})
      const clock = { now: () => candidate.now() - HOUR_MS, schedule: candidate.schedule }
      await signatureRefused(candidate, { clock })
    },
  },
  {
    claim: 'refuses an OAuth nonce that was used before',
    source: NONCES,
    run: async (candidate) => {
      const [nonce, now] = [candidate.client.newClientOrderId(), candidate.now()]
      const repeated = { nonce: () => nonce, clock: { now: () => now, schedule: candidate.schedule } }
      await signatureAccepted(candidate, repeated)
      await signatureRefused(candidate, repeated)
    },
  },
]

type Changes = Parameters<Candidate['otherwise']>[0]

/**
 * The code of the error by which the gateway answers whether a card can send: of the operations that HMAC signs, the one that
 * changes nothing. The card need not exist.
 */
async function answerTo(changes: Changes, { client, otherwise }: Candidate): Promise<string | undefined> {
  const ask = { clientOrderId: client.newClientOrderId(), sendingCardRefId: '1' }
  try {
    await otherwise({ ...changes, readAttempts: 1 }, async (other) => await other.panEligibilitySend(ask))
    return undefined
  } catch (error) {
    if (!isPaymentError(error)) throw error
    // A gateway without the operation has verified nothing.
    if (isNowhere(error)) throw new NotTried('it has no pan-eligibility/send')
    return error.code
  }
}

/**
 * That the card does not exist is an answer to a signature that was accepted.
 *
 * @throws Finding if it was not. NotTried if one was not before: all of these checks would find the same.
 */
async function signatureAccepted(candidate: Candidate, changes: Changes): Promise<void> {
  const { missing } = candidate
  if (missing.has(SIGNATURE)) throw new NotTried(needs(SIGNATURE))
  const code = await answerTo(changes, candidate)
  if (code === undefined || code === 'REJECTED') return
  missing.add(SIGNATURE)
  throw new Finding(`a right signature was answered with ${code}${code === 'AUTH_REJECTED' ? WHY_REFUSED : ''}`)
}

const SIGNATURE = 'OAuth signature that is accepted'

const WHY_REFUSED =
  ': the gateway may know another address than --base-url, such as that behind a proxy, or another time'

async function signatureRefused(candidate: Candidate, changes: Changes): Promise<void> {
  const code = await answerTo(changes, candidate)
  claim(code === 'AUTH_REJECTED', `it was answered with ${code ?? 'success'}, not with a refusal of the signature`)
}
