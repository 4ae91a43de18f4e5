import { INTENT_STATES } from '@tallystick/client'
import { describe, expect, test } from 'vitest'
import { decideLook } from '../../src/decide/decide-look.ts'
import type { Circumstances, Look } from '../../src/decide/look.ts'
import { intentWith } from '../intents.ts'

const at: Circumstances = { now: 9, fraction: 0.5, exponents: 'always-2', lastAnswerAt: 9, modifications: [] }
const sale: Look = {
  kind: 'found',
  reply: { type: 'status-response', status: 'approved', orderId: '1', transactionType: 'sale', extra: {} },
}
const looks: readonly Look[] = [sale, { kind: 'absent', seen: 'no order' }, { kind: 'silent', seen: 'nothing' }]

describe('A stored card', () => {
  test.each(INTENT_STATES)('in %s is decided by no status: that is about the payment', (state) => {
    const card = intentWith({ operation: 'createCardRef', kind: 'card', state, orderId: '1', nextCheckAt: 9 })
    for (const look of looks) {
      const { intent, outcomes, events } = decideLook(card, look, at)
      expect([intent.state, intent.nextCheckAt, outcomes, events]).toEqual([state, undefined, [], []])
    }
  })
})
