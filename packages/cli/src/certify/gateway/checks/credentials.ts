import type { OAuthMethod } from '@tallystick/core'
import { type Check, Finding, requireReply } from '../check.ts'
import { part } from '../orders.ts'
import {
  QUESTIONS,
  refusesChanged,
  signatureAccepted,
  signatureRefused,
  signedByHmac,
  tampered,
  withFields,
  withOtherSignature,
} from '../signatures.ts'

/** On this all others depend. */
export const credentialsCheck: Check = {
  claim: 'accepts the login, the endpoint and the control key',
  source: 'part 5.1',
  run: async ({ client }) => {
    const check = await client.checkCredentials()
    if (check.credentials === 'right') return
    requireReply('the status of an order that cannot exist', check.error)
    throw new Finding(check.remedy)
  },
}

/** What protects the merchant's payments from everybody else. */
export const controlChecks: readonly Check[] = [
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
    run: async (candidate) => await refusesChanged({ amount: part(candidate) }, candidate),
  },
]

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
      await signatureAccepted('RSA-SHA256', candidate)
      const transport = tampered(candidate.transport(), (request) => signedByHmac(request, candidate))
      await signatureRefused('RSA-SHA256', candidate, { transport })
    },
  },
]

function checksOf(method: OAuthMethod): readonly Check[] {
  const { field } = QUESTIONS[method]
  return [
    {
      claim: `accepts an OAuth signature by ${method}`,
      source: 'part 5.2',
      run: async (candidate) => await signatureAccepted(method, candidate),
    },
    {
      claim: `refuses a wrong signature by ${method}`,
      source: 'part 5.2',
      run: async (candidate) => {
        await signatureAccepted(method, candidate)
        await signatureRefused(method, candidate, { transport: tampered(candidate.transport(), withOtherSignature) })
      },
    },
    {
      claim: `refuses another field under the same signature by ${method}`,
      source: 'part 5.2',
      run: async (candidate) => {
        await signatureAccepted(method, candidate)
        const change = withFields({ [field]: '100000000000001' })
        await signatureRefused(method, candidate, { transport: tampered(candidate.transport(), change) })
      },
    },
    {
      claim: `refuses a request that was signed an hour ago by ${method}`,
      source: NONCES,
      run: async (candidate) => {
        await signatureAccepted(method, candidate)
        const clock = { now: () => candidate.now() - HOUR_MS, schedule: candidate.schedule }
        await signatureRefused(method, candidate, { clock })
      },
    },
    {
      claim: `refuses a nonce that was used before, by ${method}`,
      source: NONCES,
      run: async (candidate) => {
        const [nonce, now] = [candidate.client.newClientOrderId(), candidate.now()]
        const repeated = { nonce: () => nonce, clock: { now: () => now, schedule: candidate.schedule } }
        await signatureAccepted(method, candidate, repeated)
        await signatureRefused(method, candidate, repeated)
      },
    },
  ]
}
