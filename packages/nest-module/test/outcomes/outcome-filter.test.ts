import type { PaymentOutcome } from '@tallystick/client'
import { expect, test } from 'vitest'
import { type OutcomeFilter, passes, readFilter } from '../../src/outcomes/outcome-filter.ts'

const reply = { status: 'declined', transactionType: 'Reversal' } as PaymentOutcome['reply']
const ids = { clientOrderId: 'inv-77-a', orderId: '123456789012345' }
const change = { transactionType: 'reversal', status: 'declined' } as const
const DECLINED_RETURN: PaymentOutcome = { ...ids, status: 'approved', change, reply }
const DECLINED_SALE: PaymentOutcome = {
  ...ids,
  status: 'declined',
  reply: { ...reply, transactionType: 'sale' },
}

const hears = (filter: OutcomeFilter, outcome: PaymentOutcome) =>
  passes(readFilter('Shipping.ship', filter), { instance: 'eu', outcome })

test.for<readonly [OutcomeFilter, boolean, boolean]>([
  [{}, false, true],
  [{ status: 'approved' }, false, false],
  [{ status: 'declined' }, false, true],
  [{ kind: 'notice' }, true, false],
  [{ kind: 'notice', status: 'approved' }, false, false],
  [{ kind: 'notice', status: 'declined', transactionType: 'REVERSAL' }, true, false],
  [{ kind: 'notice', transactionType: 'chargeback' }, false, false],
  [{ transactionType: 'sale' }, false, true],
])('without a journal %j matches a declined return: %s, a declined sale: %s', ([filter, ofReturn, ofSale]) => {
  expect([hears(filter, DECLINED_RETURN), hears(filter, DECLINED_SALE)]).toEqual([ofReturn, ofSale])
})
