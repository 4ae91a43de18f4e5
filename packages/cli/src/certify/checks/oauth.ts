import type { OAuthMethod } from '@tallystick/core'
import type { Check } from '../check.ts'
import { QUESTIONS, signatureAccepted, signatureRefused } from '../oauth-signatures.ts'
import { signedByHmac, withOtherSignature } from '../other-signatures.ts'
import { tampered, withFields } from '../tampered.ts'

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
