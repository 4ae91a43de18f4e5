import { expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from './shop-process.ts'

const KEY = { profile: 'subscription 12', period: '2026-11' }
const MINUTE = 60_000

/** The charge is on its way for long; of its order the gateway knows nothing yet. */
const slow: Answer = async (operation) => {
  if (operation !== 'status') return { kind: 'lost', seen: 'there was no reply' }
  return replied({ type: 'validation-error', 'error-message': 'There is no order', 'error-code': '2' })
}

/** A journal on a machine whose clock can be set, and what the true time is. */
function machine() {
  const time = handClock()
  let aheadMs = 0
  const clock = { ...time, now: () => time.now() + aheadMs }
  const store = memoryJournalStore()
  const { journal } = shopProcess({ store, clock, answer: slow, handler: () => {} })
  return {
    journal,
    setForward: (milliseconds: number) => {
      aheadMs += milliseconds
    },
    /** Meanwhile other payments of the shop go well. */
    goOn: async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += MINUTE / 2) {
        await store.noteAnswer({ endpointId: '253' }, clock.now())
        await time.goOn(Math.min(MINUTE / 2, milliseconds - passed))
      }
    },
  }
}

test.each([15, 17, 60, 24 * 60])(
  'a clock that is set forward by %i minutes does not make a payment absent',
  async (minutes) => {
    const { journal, setForward, goOn } = machine()
    journal.start()
    await journal.pay(KEY, 'makeRebill', rebill)
    await goOn(12_000)
    setForward(minutes * MINUTE)
    await goOn(14 * MINUTE)
    expect(await journal.attempts(KEY)).toMatchObject([{ state: 'UNKNOWN' }])
    await journal.close()
  },
)

test('a clock that is set back does not keep a payment from being known, when its callback comes', async () => {
  const clock = handClock()
  let aheadMs = 60 * MINUTE
  let status = 'processing'
  const { journal } = shopProcess({
    store: memoryJournalStore(),
    clock: { ...clock, now: () => clock.now() + aheadMs },
    answer: async (operation, request) =>
      operation === 'status'
        ? statusReply(request, { status, amount: '10.42', currency: 'USD' })
        : replied({ type: 'async-response', 'paynet-order-id': '9' }),
    handler: () => {},
  })
  journal.start()
  const { intent } = await journal.pay(KEY, 'makeRebill', rebill)
  await clock.goOn(12_000)
  aheadMs = 0
  status = 'approved'
  await journal.inbox.receive({ clientOrderId: intent.clientOrderId, orderId: '9', status, type: 'sale' })
  await clock.goOn(12_000)
  expect(await journal.attempts(KEY)).toMatchObject([{ state: 'FINAL', status: 'approved' }])
  expect(await journal.browserReturn(intent.clientOrderId)).toMatchObject({ shown: 'approved' })
  await journal.close()
})

test('nor does it keep a payment that never arrives from being absent at last', async () => {
  const { journal, setForward, goOn } = machine()
  journal.start()
  await journal.pay(KEY, 'makeRebill', rebill)
  await goOn(12_000)
  setForward(17 * MINUTE)
  await goOn(30 * MINUTE)
  expect(await journal.attempts(KEY)).toMatchObject([{ state: 'PRESUMED_ABSENT' }])
  await journal.close()
})
