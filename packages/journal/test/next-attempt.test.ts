import type { JournalStore } from '@tallystick/client/ports'
import { describe, expect, test } from 'vitest'
import { memoryJournalStore } from '../src/index.ts'
import { handClock } from './hand-clock.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from './shop-process.ts'

const MINUTE = 60_000
const KEY = { profile: 'subscription 12', period: '2026-11' }

/** How the merchant asks for an attempt after the first one. */
type AttemptOf = (number: number) => number | 'next'

/**
 * A shop whose first charge was lost on its way and is presumed absent, at a gateway that knows other orders. `statuses` has the
 * status of each charge by its number; the gateway does not know a charge without one.
 */
async function shopOfAbsent(attemptOf: AttemptOf, { aheadMs = 0 } = {}) {
  const clock = handClock()
  const charged: string[] = []
  const amounts = new Map<string, string>()
  const statuses = new Map<number, string>()
  const told: string[] = []
  let [isRefused, isBusy, answersAfterMs] = [false, false, 0]
  const answer: Answer = async (operation, request) => {
    const asked = new URLSearchParams(request.body)
    const clientOrderId = asked.get('client_orderid') ?? ''
    if (operation !== 'status') {
      if (isRefused) return { kind: 'not-sent', seen: 'the connection was refused' }
      charged.push(clientOrderId)
      amounts.set(clientOrderId, asked.get('amount') ?? '')
      if (charged.length === 1) return { kind: 'lost', seen: 'there was no reply' }
      return replied({ type: 'async-response', 'paynet-order-id': '9', 'merchant-order-id': clientOrderId })
    }
    if (isBusy) return { kind: 'replied', httpStatus: 503, mediaType: 'text/html', body: '<html>busy</html>' }
    const status = statuses.get(charged.indexOf(clientOrderId) + 1)
    if (answersAfterMs > 0) await new Promise<void>((resolve) => void clock.schedule(answersAfterMs, resolve))
    return status === undefined
      ? replied({ type: 'validation-error', 'error-message': 'There is no order', 'error-code': '2' })
      : statusReply(request, { status, amount: amounts.get(clientOrderId) ?? '', currency: 'USD' })
  }
  let [beforeInsert, afterMark] = [async () => {}, async () => {}]
  const memory = memoryJournalStore()
  const store: JournalStore = {
    ...memory,
    insert: async (intent) => {
      await beforeInsert()
      return await memory.insert(intent)
    },
    update: async (...changes) => {
      const isWritten = await memory.update(...changes)
      if (changes.some(({ intent }) => intent.state === 'SENDING')) await afterMark()
      return isWritten
    },
  }
  const onEvent = ({ type }: { readonly type: string }) => void told.push(type)
  const { journal, standStill, goOn } = shopProcess({ store, clock, answer, onEvent })
  const worker = shopProcess({ store, clock, answer, handler: () => {}, onEvent, aheadMs }).journal
  worker.start()
  const pay = (attempt?: number, amount: string = rebill.amount) =>
    journal.pay(KEY, 'makeRebill', { ...rebill, amount }, attempt === undefined ? {} : { attempt: attemptOf(attempt) })
  await pay()
  while ((await journal.attempts(KEY))[0]?.state !== 'PRESUMED_ABSENT') {
    await store.noteAnswer({ endpointId: '253' }, clock.now())
    await clock.goOn(MINUTE)
  }
  /** Goes on until just after the worker has checked its status once more. */
  const lookAgain = async () => {
    const [{ nextCheckAt = 0 } = {}] = await worker.attempts(KEY)
    await clock.goOn(nextCheckAt - aheadMs - clock.now() + 1000)
  }
  const refuse = (refused: boolean) => {
    isRefused = refused
  }
  const beBusy = (busy: boolean) => {
    isBusy = busy
  }
  const beSlow = (milliseconds: number) => {
    answersAfterMs = milliseconds
  }
  /** The first one has arrived, and its callback says so. */
  const arrive = async () => {
    statuses.set(1, 'approved')
    await worker.inbox.receive({ clientOrderId: charged[0] ?? '', orderId: '9', status: 'approved' })
  }
  /** The machine is suspended between the status check and the request. */
  const standStillAtInsert = () => {
    beforeInsert = async () => standStill()
  }
  const arriveBeforeInsert = () => {
    beforeInsert = async () => {
      beforeInsert = async () => {}
      await arrive()
    }
  }
  /** The process learns only after five seconds that the mark is written, and the first charge arrives in that time. */
  const arriveBeforeMarkIsHeard = () => {
    afterMark = async () => {
      afterMark = async () => {}
      await arrive()
      await new Promise<void>((resolve) => void clock.schedule(5000, resolve))
    }
  }
  return {
    clock,
    journal: worker,
    charged,
    statuses,
    told,
    pay,
    lookAgain,
    refuse,
    beBusy,
    beSlow,
    arrive,
    arriveBeforeInsert,
    arriveBeforeMarkIsHeard,
    standStillAtInsert,
    goOn,
  }
}

describe.each<readonly [string, AttemptOf]>([
  ['by its number', (number) => number],
  ["as 'next'", () => 'next'],
])('The next attempt, asked for %s, of a payment that was presumed absent', (_, attemptOf) => {
  test('is made if the first is still absent', async () => {
    const { pay, charged, journal } = await shopOfAbsent(attemptOf)
    expect(await pay(2)).toMatchObject({ outcome: 'accepted', intent: { attempt: 2 } })
    expect(charged).toHaveLength(2)
    await journal.close()
  })

  test.each([
    ['approved', 'final'],
    ['processing', 'accepted'],
  ])('is not made if the first has arrived since, and is %s', async (status, outcome) => {
    const { pay, charged, statuses, told, journal } = await shopOfAbsent(attemptOf)
    statuses.set(1, status)
    expect(await pay(2)).toMatchObject({ outcome, intent: { attempt: 1 } })
    expect(await pay(2)).toMatchObject({ outcome, intent: { attempt: 1 } })
    expect(charged).toHaveLength(1)
    expect(told).toEqual(['PRESUMED_ABSENT', 'ARRIVED_LATE'])
    await journal.close()
  })

  test('is not made if an answer shows that the first has arrived, even if another clock is ahead and an older answer seems later', async () => {
    const { pay, charged, statuses, lookAgain, journal } = await shopOfAbsent(attemptOf, { aheadMs: 3000 })
    await lookAgain()
    statuses.set(1, 'approved')
    expect(await pay(2)).toMatchObject({ outcome: 'final', intent: { attempt: 1 } })
    expect(charged).toHaveLength(1)
    await journal.close()
  })

  test('that is asked for twice is sent once, and both callers get its state', async () => {
    const { clock, pay, charged, beSlow, journal } = await shopOfAbsent(attemptOf)
    beSlow(100)
    const asking = [pay(2)]
    await clock.goOn(50)
    asking.push(pay(2))
    await clock.goOn(200)
    const accepted = { outcome: 'accepted', intent: { attempt: 2 } }
    expect(await Promise.all(asking)).toMatchObject([accepted, accepted])
    expect(charged).toHaveLength(2)
    await journal.close()
  })

  test('is not sent if a callback of the first comes while its status is being checked', async () => {
    const { clock, pay, charged, beSlow, arrive, journal } = await shopOfAbsent(attemptOf)
    beSlow(100)
    const asking = pay(2)
    await clock.goOn(50)
    await arrive()
    await clock.goOn(100)
    expect(await asking).toMatchObject({ outcome: 'absent', intent: { attempt: 1 } })
    await clock.goOn(5000)
    expect(await pay(2)).toMatchObject({ outcome: 'final', intent: { attempt: 1, status: 'approved' } })
    expect(charged).toHaveLength(1)
    await journal.close()
  })

  test('is not sent if a callback of the first comes after its status was checked and before the next is sent', async () => {
    const { pay, charged, arriveBeforeInsert, journal } = await shopOfAbsent(attemptOf)
    arriveBeforeInsert()
    expect(await pay(2)).toMatchObject({ outcome: 'final', intent: { attempt: 1, status: 'approved' } })
    expect(charged).toHaveLength(1)
    await journal.close()
  })

  test('is not sent, and never left, if a callback of the first comes while the mark as being sent takes long to write', async () => {
    const { clock, pay, charged, arriveBeforeMarkIsHeard, journal } = await shopOfAbsent(attemptOf)
    arriveBeforeMarkIsHeard()
    const asking = pay(2)
    await clock.goOn(5000)
    expect(await asking).toMatchObject({ outcome: 'notSent', intent: { attempt: 2, state: 'NOT_SENT' } })
    expect(await pay(2)).toMatchObject({ outcome: 'final', intent: { attempt: 1, status: 'approved' } })
    expect(charged).toHaveLength(1)
    await journal.close()
  })

  test('is not sent by a machine that was suspended after the status check, if the first has arrived by then', async () => {
    const { clock, pay, charged, statuses, lookAgain, standStillAtInsert, goOn, journal } =
      await shopOfAbsent(attemptOf)
    standStillAtInsert()
    const asking = pay(2)
    await clock.goOn(1000)
    statuses.set(1, 'approved')
    await lookAgain()
    goOn()
    expect(await asking).toMatchObject({ outcome: 'final', intent: { attempt: 1, status: 'approved' } })
    expect(charged).toHaveLength(1)
    await journal.close()
  })

  test('is not made if the status showed the first one, even if another process has written since that it is absent', async () => {
    const { clock, pay, charged, statuses, lookAgain, beSlow, journal } = await shopOfAbsent(attemptOf)
    await lookAgain()
    await clock.goOn(MINUTE)
    statuses.set(1, 'approved')
    beSlow(5000)
    const asking = pay(2)
    await clock.goOn(1000)
    statuses.delete(1)
    beSlow(0)
    expect(await journal.browserReturn(charged[0])).toMatchObject({ shown: 'pending' })
    await clock.goOn(5000)
    expect(await asking).toMatchObject({ outcome: 'absent', intent: { attempt: 1 } })
    expect(charged).toHaveLength(1)
    await journal.close()
  })

  test('is made if the first has arrived since and was declined', async () => {
    const { pay, statuses, journal } = await shopOfAbsent(attemptOf)
    statuses.set(1, 'declined')
    expect(await pay(2)).toMatchObject({ outcome: 'accepted', intent: { attempt: 2 } })
    await journal.close()
  })

  test('is made if the first was declined, even if the callback that says so comes while its status is being checked', async () => {
    const { clock, pay, charged, statuses, beSlow, journal } = await shopOfAbsent(attemptOf)
    statuses.set(1, 'declined')
    beSlow(100)
    const asking = pay(2)
    await clock.goOn(50)
    await journal.inbox.receive({ clientOrderId: charged[0] ?? '', orderId: '9', status: 'declined' })
    await clock.goOn(100)
    expect(await asking).toMatchObject({ outcome: 'accepted', intent: { attempt: 2 } })
    await journal.close()
  })

  test('that was declined is followed by no third one if the first has arrived meanwhile', async () => {
    const { clock, pay, charged, statuses, journal } = await shopOfAbsent(attemptOf)
    await pay(2)
    statuses.set(1, 'approved').set(2, 'declined')
    await clock.goOn(MINUTE)
    expect(await pay()).toMatchObject({ outcome: 'final', intent: { attempt: 2, status: 'declined' } })
    expect(await pay(3)).toMatchObject({ outcome: 'final', intent: { attempt: 1, status: 'approved' } })
    expect(charged).toHaveLength(2)
    await journal.close()
  })

  test('does not get the result of the first one, if that was another request', async () => {
    const { clock, pay, charged, statuses, journal } = await shopOfAbsent(attemptOf)
    await pay(2, '99.00')
    statuses.set(1, 'approved').set(2, 'declined')
    await clock.goOn(MINUTE)
    expect(await pay(3, '99.00')).toMatchObject({ outcome: 'conflict', intent: { attempt: 1, amounts: ['1042'] } })
    expect(await pay(3)).toMatchObject({ outcome: 'final', intent: { attempt: 1, status: 'approved' } })
    expect(charged).toHaveLength(2)
    await journal.close()
  })

  test('waits for an answer about the first one, even if it was written and never left', async () => {
    const { pay, charged, refuse, beBusy, journal } = await shopOfAbsent(attemptOf)
    beBusy(true)
    expect(await pay(2)).toMatchObject({ outcome: 'absent', intent: { attempt: 1 } })
    beBusy(false)
    refuse(true)
    expect(await pay(2)).toMatchObject({ outcome: 'notSent', intent: { attempt: 2 } })
    refuse(false)
    beBusy(true)
    expect(await pay()).toMatchObject({ outcome: 'absent', intent: { attempt: 1 } })
    expect(charged).toHaveLength(1)
    beBusy(false)
    expect(await pay()).toMatchObject({ outcome: 'accepted', intent: { attempt: 2 } })
    await journal.close()
  })

  test('that never left is no longer sent if the first has arrived meanwhile', async () => {
    const { pay, charged, statuses, refuse, journal } = await shopOfAbsent(attemptOf)
    refuse(true)
    expect(await pay(2)).toMatchObject({ outcome: 'notSent', intent: { attempt: 2 } })
    refuse(false)
    statuses.set(1, 'approved')
    expect(await pay()).toMatchObject({ outcome: 'final', intent: { attempt: 1 } })
    expect(charged).toHaveLength(1)
    await journal.close()
  })
})
