import { NoReplyError, NotSentError, RejectedError } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { type AnyResult, settled } from '../../src/pay/settle.ts'
import { intentWith } from '../intents.ts'

const told = { operation: 'SALE', clientOrderId: 'order-a', seen: 'it was so' }
const accepted = (reply: object) => ({ outcome: 'accepted', reply: { extra: {}, ...reply } }) as unknown as AnyResult
const ACCEPTED = accepted({ orderId: '9', serialNumber: 's-1', redirectUrl: 'https://gate.example.com/form' })
const REJECTED: AnyResult = { outcome: 'rejected', error: new RejectedError(told, {}) }
const NOT_SENT: AnyResult = { outcome: 'notSent', error: new NotSentError(told) }
const UNKNOWN = { outcome: 'unknown', error: new NoReplyError(told) } as AnyResult

const sending = intentWith({ state: 'SENDING', sentAt: 100, leaseOwner: 'me', leaseUntil: 8100, nextCheckAt: 8100 })
const at = { now: 200, fraction: 0.5, repeatsGetFirstAnswer: false, isRepeat: false }
const after = (result: AnyResult, changes: Parameters<typeof intentWith>[0] = {}, how: Partial<typeof at> = {}) =>
  settled({ ...sending, ...changes }, result, { ...at, ...how })

describe('The result of a payment that was sent', () => {
  test.each([
    ['the gateway took it', ACCEPTED, { state: 'ACCEPTED', orderId: '9', serialNumber: 's-1', nextCheckAt: 2200 }],
    ['it was refused: that is confirmed now', REJECTED, { state: 'REJECTED', nextCheckAt: 200 }],
    ['it never left', NOT_SENT, { state: 'NOT_SENT', nextCheckAt: undefined }],
    ['there was no reply', UNKNOWN, { state: 'UNKNOWN', nextCheckAt: 2200 }],
  ] as const)('when %s', (_what, result, expected) => {
    const { intent, outcomes, events } = after(result)
    expect(intent).toMatchObject({ ...expected, leaseOwner: undefined, leaseUntil: undefined })
    expect([intent.evidence.length, intent.evidence[0]?.at, outcomes, events]).toEqual([1, 200, [], []])
  })

  test('is written with the address of the form, and with the words of a refusal', () => {
    expect(after(ACCEPTED).intent.redirectUrl).toBe('https://gate.example.com/form')
    expect(after(REJECTED).intent.rejection).toContain('it was so')
  })

  test.each([
    ['before it was sent', 99, 2200],
    ['as soon as it was sent', 100, 200],
    ['while it was sent', 150, 200],
  ])('is checked at once if its callback came %s: %d', (_what, wokenAt, nextCheckAt) => {
    expect(after(ACCEPTED, { wokenAt }).intent.nextCheckAt).toBe(nextCheckAt)
  })

  test('is about the order that a return names, whatever id its reply has', () => {
    const refund = { kind: 'modification', operation: 'return', orderId: '5' } as const
    expect(after(ACCEPTED, refund).intent.orderId).toBe('5')
  })
})

describe('The result of a card that was to be stored', () => {
  const card = { kind: 'card', operation: 'createCardRef' } as const

  test.each([
    ['a card', { cardRefId: '77' }],
    ['a card, and the token of its payer', { cardRefId: '77', recurringPaymentId: '5' }],
    ['a recurring payment', { recurringPaymentId: '77' }],
  ])('is final with its reference, and reported: %s', (_what, reply) => {
    const { intent, outcomes } = after(accepted({ orderId: '9', serialNumber: 's-1', ...reply }), card)
    const final = { state: 'FINAL', status: 'approved', reference: '77', serialNumber: 's-1', nextCheckAt: undefined }
    expect(intent).toMatchObject(final)
    expect(outcomes).toEqual([
      {
        kind: 'outcome',
        intentId: 'intent-1',
        businessKey: 'invoice 77',
        operation: 'createCardRef',
        clientOrderId: 'order-a',
        orderId: undefined,
        status: 'approved',
        reference: '77',
      },
    ])
  })

  test('ends a review for its lost reply', () => {
    const inReview = { ...card, state: 'REVIEW', reviewReason: 'NO_STATUS' } as const
    const { state, reviewReason } = after(accepted({ cardRefId: '77' }), inReview).intent
    expect([state, reviewReason]).toEqual(['FINAL', undefined])
  })

  test.each([
    ['no reply', UNKNOWN, at, 'REVIEW', ['REVIEW']],
    ['no reply, where a repeat gets the first answer', UNKNOWN, { repeatsGetFirstAnswer: true }, 'UNKNOWN', []],
    ['a refusal', REJECTED, at, 'REJECTED', []],
    ['a refusal of the repeat', REJECTED, { repeatsGetFirstAnswer: true, isRepeat: true }, 'UNKNOWN', []],
    ['a repeat that never left', NOT_SENT, { repeatsGetFirstAnswer: true, isRepeat: true }, 'UNKNOWN', []],
  ] as const)('has no status to ask for: %s', (_what, result, how, state, events) => {
    const settledCard = after(result, card, how)
    expect([settledCard.intent.state, settledCard.events]).toEqual([state, events])
    expect(settledCard.intent).toMatchObject({ nextCheckAt: undefined, leaseOwner: undefined, leaseUntil: undefined })
    expect(settledCard.intent.evidence).toHaveLength(1)
  })
})

const scheduling = intentWith({ operation: 'createRecurringPayment', kind: 'card', state: 'SENDING', sends: 1 })
/** What is written of a recurring payment whose reply has this status. */
function created(status: string | undefined) {
  const reply = { type: 'create-recurring-payment-response', status, recurringPaymentId: '42', extra: {} }
  return settled(scheduling, { outcome: 'accepted', reply, error: undefined }, at)
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

  test('[G5-01] has the final status that its reply shows', () => {
    const { intent, outcomes } = created('declined')
    expect([intent.status, intent.holdsKey, outcomes[0]?.status]).toEqual(['declined', false, 'declined'])
  })
})
