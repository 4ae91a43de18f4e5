import { describe, expect, test } from 'vitest'
import { FaultPlan } from '../../src/faults/fault-plan.ts'
import { CallbackBeforeReturn } from '../../src/faults/order-faults.ts'
import { virtualClock } from '../../src/index.ts'
import type { Delivery } from '../../src/store-port.ts'
import { order } from '../store/changes.ts'

const ORDER = order(1)
const DUE: Delivery = {
  id: '1',
  orderId: ORDER.orderId,
  url: 'https://shop.example.com/cb',
  createdAt: 0,
  made: 0,
  state: 'open',
}

/** A customer who waits for these deliveries, some of which were sent before. `state` says whether the wait is over. */
async function waiting(deliveries: readonly Delivery[], { hasFault = true, sent = [] as readonly string[] } = {}) {
  const faults = new FaultPlan(undefined, () => 0)
  if (hasFault) faults.forOrder(ORDER.clientOrderId, 'callback-before-return')
  const clock = virtualClock()
  const gate = new CallbackBeforeReturn(faults, clock, async () => deliveries)
  const state = { isOver: false }
  for (const orderId of sent) gate.sent(orderId)
  void gate.wait(ORDER).then(() => {
    state.isOver = true
  })
  const turn = () => new Promise(setImmediate)
  await turn()
  return { gate, clock, state, turn }
}

describe("the customer's browser", () => {
  test('waits for the callback of its order, and for no other', async () => {
    const { gate, state, turn } = await waiting([DUE])
    gate.sent('another')
    await turn()
    expect(state.isOver).toBe(false)
    gate.sent(ORDER.orderId)
    await turn()
    expect(state.isOver).toBe(true)
  })

  test('waits for at most twenty seconds', async () => {
    const { clock, state, turn } = await waiting([DUE])
    await clock.advance(19_999)
    await turn()
    expect(state.isOver).toBe(false)
    await clock.advance(1)
    await turn()
    expect(state.isOver).toBe(true)
  })

  test.for<readonly [string, readonly Delivery[], boolean]>([
    ['there is no such fault', [DUE], false],
    ['there is nothing to send', [], true],
    ['it was sent before, and not answered', [{ ...DUE, made: 1 }], true],
    ['it is sent no more', [{ ...DUE, state: 'given-up' }], true],
  ])('does not wait where %s', async ([, deliveries, hasFault]) => {
    expect((await waiting(deliveries, { hasFault })).state.isOver).toBe(true)
  })

  test('does not wait if the callback was just sent, unless a thousand others were since: only so many are remembered', async () => {
    const others = Array.from({ length: 1000 }, (_, number) => String(number))
    const afterFew = await waiting([DUE], { sent: [ORDER.orderId, ...others.slice(1)] })
    const afterMany = await waiting([DUE], { sent: [ORDER.orderId, ...others] })
    expect([afterFew.state.isOver, afterMany.state.isOver]).toEqual([true, false])
  })
})
