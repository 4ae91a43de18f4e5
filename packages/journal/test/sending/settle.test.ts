import { describe, expect, test } from 'vitest'
import { settled } from '../../src/sending/settle.ts'
import { intentWith } from '../intents.ts'

const sending = intentWith({ operation: 'createRecurringPayment', kind: 'card', state: 'SENDING', sends: 1 })
const at = { now: 1, fraction: 0.5, repeatsGetFirstAnswer: false, isRepeat: false }

/** What is written of a recurring payment whose reply has this status. */
function created(status: string | undefined) {
  const reply = { type: 'create-recurring-payment-response', status, recurringPaymentId: '42', extra: {} }
  return settled(sending, { outcome: 'accepted', reply }, at)
}

describe('A recurring payment that the gateway names', () => {
  test.each([undefined, 'approved', 'processing', 'ACTIVE'])(
    '[G4-05] is there, and keeps its business key, at the status %s, which is none of a transaction',
    (status) => {
      const { intent, outcomes } = created(status)
      expect(intent).toMatchObject({ state: 'FINAL', status: 'approved', reference: '42', holdsKey: true })
      expect(outcomes).toMatchObject([{ status: 'approved', reference: '42' }])
    },
  )

  test('[G5-01] has the final status that its reply tells', () => {
    const { intent, outcomes } = created('declined')
    expect([intent.status, intent.holdsKey, outcomes[0]?.status]).toEqual(['declined', false, 'declined'])
  })
})
