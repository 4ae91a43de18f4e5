import { INTENT_STATES } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { decideStatus } from '../../src/status/decide.ts'
import type { Circumstances, StatusResult } from '../../src/status/status-result.ts'
import { intentWith } from '../intents.ts'

const at: Circumstances = { now: 9, fraction: 0.5, exponents: 'always-2', lastAnswerAt: 9, modifications: [] }
const sale: StatusResult = {
  kind: 'found',
  reply: {
    type: 'status-response',
    status: 'approved',
    clientOrderId: 'order-a',
    orderId: '1',
    transactionType: 'sale',
    extra: {},
  },
}
const looks: readonly StatusResult[] = [sale, { kind: 'absent', seen: 'no order' }, { kind: 'silent', seen: 'nothing' }]

describe('An intent that is not sent, is being sent, or is in review', () => {
  test.each(
    (['opening', 'modification'] as const).flatMap((kind) =>
      (['PREPARED', 'NOT_SENT', 'SENDING', 'REVIEW'] as const).map((state) => [kind, state] as const),
    ),
  )('is not decided by any status: %s in %s', (kind, state) => {
    const intent = intentWith({ kind, state, orderId: '1', observed: { status: 'declined' } })
    for (const look of looks) {
      expect(decideStatus(intent, look, at)).toMatchObject({ intent: { state, lookedAt: 9 }, outcomes: [], events: [] })
    }
  })

  test('nor is a return that has ended: later changes belong to its payment', () => {
    const before = { status: 'approved', transactionType: 'sale', amount: '1042' }
    const ended = intentWith({ operation: 'return', kind: 'modification', state: 'FINAL', orderId: '1', before })
    const observed = { status: 'approved', transactionType: 'reversal', amount: '742' }
    expect(decideStatus({ ...ended, observed }, sale, at).outcomes).toEqual([])
  })
})

describe('A stored card', () => {
  test.each(INTENT_STATES)('in %s is not decided by any status: a status is about the payment', (state) => {
    const card = intentWith({ operation: 'createCardRef', kind: 'card', state, orderId: '1', nextCheckAt: 9 })
    for (const look of looks) {
      const { intent, outcomes, events } = decideStatus(card, look, at)
      expect([intent.state, intent.nextCheckAt, outcomes, events]).toEqual([state, undefined, [], []])
    }
  })
})
