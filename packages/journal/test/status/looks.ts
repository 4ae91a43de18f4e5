import type { Intent } from '@tallystick/client/ports'
import type { ReplyValues } from '@tallystick/core'
import type { Circumstances, StatusResult } from '../../src/status/status-result.ts'
import { intentWith } from '../intents.ts'

/** A status check that found an approved sale of 10.42 USD, with these changes. */
export function foundSale(changes: Partial<ReplyValues<'status'>> = {}): StatusResult {
  return {
    kind: 'found',
    reply: {
      type: 'status-response',
      status: 'approved',
      clientOrderId: 'order-a',
      orderId: '1',
      transactionType: 'sale',
      initialAmount: '10.42',
      amount: '10.42',
      currency: 'USD',
      extra: {},
      ...changes,
    },
  }
}

/** The gateway has not answered for any order yet, and the merchant has not asked for a change of this one. */
export function circumstances(now: number, changes: Partial<Circumstances> = {}): Circumstances {
  return { now, fraction: 0.5, exponents: 'always-2', lastAnswerAt: undefined, modifications: [], ...changes }
}

/** A return of 3.00 out of 10.42 whose reply was lost, with these changes. */
export function lostReturn(changes: Partial<Intent> = {}): Intent {
  return intentWith({
    operation: 'return',
    kind: 'modification',
    state: 'UNKNOWN',
    orderId: '1',
    amounts: ['300'],
    sentAt: 0,
    before: { status: 'approved', transactionType: 'sale', amount: '1042' },
    holdsOrder: true,
    ...changes,
  })
}
