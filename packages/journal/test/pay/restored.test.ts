import { DatabaseSync } from 'node:sqlite'
import type { Exchange } from '@tallystick/client'
import type { Intent, JournalStore } from '@tallystick/client/ports'
import { fromMinorUnits, toMinorUnits } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { type JournalEvent, sqliteJournalStore } from '../../src/index.ts'
import { handClock } from '../hand-clock.ts'
import { intentWith } from '../intents.ts'
import { ownFolder } from '../own-folder.ts'
import { type Answer, rebill, replied, shopProcess } from '../shop-process.ts'

const inFolder = ownFolder()
const NO_SUCH_ORDER = replied({ type: 'validation-error', 'error-code': '2', 'error-message': 'No such order' })
const REFUSED = replied({ type: 'validation-error', 'error-code': '9', 'error-message': 'the card is blocked' })
const NEVER_LEFT: Exchange = { kind: 'not-sent', seen: 'the connection was refused' }
const CHANGES: ReadonlySet<string> = new Set(['capture', 'void', 'return'])

interface Order {
  readonly orderId: string
  status: string
  type: string
  initial: bigint
  kept: bigint
  captured: bigint
  /** The second in which it was changed last. */
  second: number
}

/** What a status shows as its amount after a capture: what is held, of this request, of all of them, or what is still held. */
type Shows = 'held' | 'request' | 'sum' | 'rest'

const minor = (amount: string) => BigInt(toMinorUnits(amount, 2) ?? 0)
const major = (amount: bigint) => fromMinorUnits(String(amount), 2) ?? ''

/** A gateway that does what it is asked for, as often as it is asked. */
function obedientGateway(shows: Shows = 'held') {
  const orders = new Map<string, Order>()
  const sent: string[] = []
  /** How it answers the next requests that are no status check, before all others; and how the next payments end. */
  const instead: Exchange[] = []
  const endings: string[] = []
  const answer: Answer = async (operation, request) => {
    const form = new URLSearchParams(request.body)
    const clientOrderId = form.get('client_orderid') ?? ''
    const order = orders.get(clientOrderId)
    const ids = { 'paynet-order-id': order?.orderId ?? `${orders.size + 1}`, 'merchant-order-id': clientOrderId }
    if (operation === 'status') {
      if (order === undefined) return NO_SUCH_ORDER
      const amounts = { amount: major(order.kept), 'initial-amount': major(order.initial) }
      const date = `2030-01-01 12:00:0${order.second} UTC`
      const shown = {
        'paynet-processing-date': date,
        status: order.status,
        'transaction-type': order.type,
        ...amounts,
        currency: 'USD',
      }
      return replied({ type: 'status-response', ...ids, ...shown })
    }
    const other = instead.shift()
    if (other !== undefined) return other
    sent.push(operation)
    if (order !== undefined && CHANGES.has(operation)) change(order, operation, form.get('amount'), shows)
    else {
      const initial = minor(form.get('amount') ?? '0')
      const status = endings.shift() ?? 'approved'
      const amounts = { initial, kept: initial, captured: 0n, second: 0 }
      orders.set(clientOrderId, { orderId: ids['paynet-order-id'], status, type: 'sale', ...amounts })
    }
    return replied({ type: 'async-response', ...ids })
  }
  return { orders, sent, instead, endings, answer }
}

function change(order: Order, operation: string, amount: string | null, shows: Shows): void {
  const asked = amount === null ? order.kept : minor(amount)
  order.second += 1
  order.type = operation === 'capture' ? 'capture' : 'reversal'
  if (operation !== 'capture') order.kept -= asked
  else {
    order.captured += asked
    const shown = { held: order.kept, request: asked, sum: order.captured, rest: order.initial - order.captured }
    order.kept = shown[shows]
  }
}

type Gateway = ReturnType<typeof obedientGateway>

/** Each shop begins an hour after the one before. */
let hours = 0

function shop(
  { answer }: Pick<Gateway, 'answer'>,
  file: string,
  wrap: (store: JournalStore<DatabaseSync>) => JournalStore<DatabaseSync> = (store) => store,
) {
  const events: JournalEvent[] = []
  const told: string[] = []
  const store = sqliteJournalStore({ file: inFolder(file) })
  hours++
  const clock = handClock(Date.UTC(2030, 1, 1, hours))
  const { journal, die } = shopProcess({
    store: wrap(store),
    clock,
    answer,
    handler: ({ outcome }) => void told.push(`${outcome.kind} ${outcome.status} ${outcome.amount}`),
    onEvent: (event) => void events.push(event),
  })
  const key = { profile: 'sub', period: '7' }
  return {
    journal,
    clock,
    die,
    told,
    events,
    /** Pays, and waits until its outcome is known. */
    pay: async (attempt?: number | 'next') => {
      const result = await journal.pay(key, 'makeRebill', rebill, { attempt })
      await clock.goOn(3000)
      await journal.reconcile()
      return result
    },
    attempts: () => journal.attempts(key),
    change: async (name: string, operation: 'capture' | 'void' | 'return', amount?: string, attempt?: 'next') => {
      const { clientOrderId, orderId = '' } = (await journal.attempts(key)).at(-1) ?? intentWith()
      const input = changeOf(operation, clientOrderId, orderId, amount)
      const result = await journal.pay(name, operation, input, { attempt })
      await clock.goOn(3000)
      await journal.reconcile()
      return result
    },
  }
}

function changeOf(operation: string, clientOrderId: string, orderId: string, amount: string | undefined) {
  const part = {
    ...(amount !== undefined && { amount, currency: 'USD' }),
    ...(operation !== 'capture' && { comment: 'a' }),
  }
  return { clientOrderId, orderId, ...part } as never
}

/** A copy of a journal as it is now, while its shop goes on. */
function copied(file: string, copy: string): void {
  const database = new DatabaseSync(inFolder(file))
  database.exec(`vacuum into '${inFolder(copy)}'`)
  database.close()
}

describe('[F-A2] A journal restored from an older copy', () => {
  test.each([
    ['the next attempt', []],
    ['a later attempt, behind one that was refused', [REFUSED]],
  ])('takes over %s that was charged after the copy', async (_what, refusals) => {
    const gateway = obedientGateway()
    gateway.endings.push('declined')
    const before = shop(gateway, 'one.db')
    await before.pay()
    copied('one.db', 'copy.db')
    gateway.instead.push(...refusals)
    for (const _ of [...refusals, 'the one that is charged']) await before.pay('next')
    await before.journal.close()
    const after = shop(gateway, 'copy.db')
    expect(await after.pay('next')).toMatchObject({ outcome: 'final', intent: { status: 'approved' } })
    expect(gateway.sent).toEqual(['make-rebill', 'make-rebill'])
    const [taken] = after.events.filter(({ type }) => type === 'TAKEN_OVER')
    expect(taken).toMatchObject({ intents: [{ clientOrderId: [...gateway.orders.keys()].at(-1) }] })
    await after.journal.close()
  })

  test('takes over an attempt that never left before the copy, and did after it', async () => {
    const gateway = obedientGateway()
    const before = shop(gateway, 'one.db')
    gateway.instead.push(NEVER_LEFT)
    expect(await before.pay()).toMatchObject({ outcome: 'notSent', intent: { sends: 1 } })
    copied('one.db', 'copy.db')
    await before.pay()
    await before.journal.close()
    const after = shop(gateway, 'copy.db')
    expect(await after.pay()).toMatchObject({ outcome: 'final', intent: { status: 'approved', attempt: 1 } })
    expect(gateway.sent).toEqual(['make-rebill'])
    await after.journal.close()
  })

  const CHANGED = [
    ['return', '4.00'],
    ['return', undefined],
    ['void', undefined],
    ['capture', '4.00'],
    ['capture', undefined],
  ] as const

  test.each(CHANGED)('sends no %s of %s again that was made after the copy', async (operation, amount) => {
    const gateway = obedientGateway()
    const before = shop(gateway, 'one.db')
    await before.pay()
    copied('one.db', 'copy.db')
    await before.change('change 1', operation, amount)
    await before.journal.close()
    const after = shop(gateway, 'copy.db')
    const again = await after.change('change 1', operation, amount)
    expect(again).toMatchObject({ outcome: 'review', intent: { reviewReason: 'CHANGED_OTHERWISE' } })
    expect(gateway.sent).toEqual(['make-rebill', operation])
    await after.journal.resolveReview(again.intent.intentId, 'take-status', 'the gateway shows it')
    await after.journal.settled()
    const [[clientOrderId = ''] = []] = gateway.orders
    expect(after.told).toEqual(before.told.slice(-1))
    expect(
      (await after.journal.pay('change 1', operation, changeOf(operation, clientOrderId, '1', amount))).outcome,
    ).toBe('final')
    await after.journal.close()
  })

  test.each(CHANGED)(
    'nor if a callback has shown it the %s of %s as that of somebody else',
    async (operation, amount) => {
      const gateway = obedientGateway()
      const before = shop(gateway, 'one.db')
      await before.pay()
      copied('one.db', 'copy.db')
      await before.change('change 1', operation, amount)
      await before.journal.close()
      const after = shop(gateway, 'copy.db')
      const [[clientOrderId = ''] = []] = gateway.orders
      await after.journal.inbox.receive({ clientOrderId, orderId: '1', status: 'approved' })
      await after.journal.settled()
      expect(after.told).toEqual([expect.stringMatching(/^notice approved/)])
      expect((await after.change('change 1', operation, amount)).outcome).toBe('review')
      expect(gateway.sent).toEqual(['make-rebill', operation])
      await after.journal.close()
    },
  )

  test('does not send a return again that never left before the copy, and did after it', async () => {
    const gateway = obedientGateway()
    const before = shop(gateway, 'one.db')
    await before.pay()
    gateway.instead.push(NEVER_LEFT)
    expect(await before.change('refund 1', 'return', '4.00')).toMatchObject({
      outcome: 'notSent',
      intent: { sends: 1 },
    })
    copied('one.db', 'copy.db')
    await before.change('refund 1', 'return', '4.00')
    await before.journal.close()
    const after = shop(gateway, 'copy.db')
    expect((await after.change('refund 1', 'return', '4.00')).outcome).toBe('review')
    expect(gateway.sent).toEqual(['make-rebill', 'return'])
    await after.journal.close()
  })

  test('does not capture a part again that looks like the part before, but was processed later', async () => {
    const gateway = obedientGateway()
    const before = shop(gateway, 'one.db')
    await before.pay()
    await before.change('capture 1', 'capture', '4.00')
    copied('one.db', 'copy.db')
    await before.change('capture 2', 'capture', '3.00')
    await before.journal.close()
    const after = shop(gateway, 'copy.db')
    expect((await after.change('capture 2', 'capture', '3.00')).outcome).toBe('review')
    expect(gateway.sent).toEqual(['make-rebill', 'capture', 'capture'])
    await after.journal.close()
  })

  test('does not send a return again of whose earlier attempt a person had decided before the copy', async () => {
    const gateway = obedientGateway()
    const first = shop(gateway, 'one.db')
    await first.pay()
    copied('one.db', 'copy.db')
    await first.change('refund of somebody else', 'return', '1.00')
    await first.journal.close()
    const before = shop(gateway, 'copy.db')
    const { intent } = await before.change('refund 1', 'return', '1.00')
    await before.journal.resolveReview(intent.intentId, 'nothing-charged', 'it was the other one')
    copied('copy.db', 'copy of the copy.db')
    expect((await before.change('refund 1', 'return', '1.00', 'next')).outcome).toBe('accepted')
    await before.journal.close()
    const after = shop(gateway, 'copy of the copy.db')
    expect((await after.change('refund 1', 'return', '1.00', 'next')).outcome).toBe('review')
    expect(gateway.sent).toEqual(['make-rebill', 'return', 'return'])
    await after.journal.close()
  })

  test.each([
    ['capture', '4.00', '3.00'],
    ['return', '2.00', '2.00'],
    // What is kept looks like the amount of the first one.
    ['return', '3.00', '4.42'],
  ] as const)(
    'does not send the second of two forgotten changes again (%s of %s and %s) once the first is decided',
    async (operation, one, two) => {
      const gateway = obedientGateway()
      const before = shop(gateway, 'one.db')
      await before.pay()
      copied('one.db', 'copy.db')
      await before.change('change 1', operation, one)
      await before.change('change 2', operation, two)
      await before.journal.close()
      const after = shop(gateway, 'copy.db')
      const { intent } = await after.change('change 1', operation, one)
      await after.journal.resolveReview(intent.intentId, 'take-status', 'the gateway lists it')
      expect((await after.change('change 2', operation, two)).outcome).toBe('review')
      expect(gateway.sent).toEqual(['make-rebill', operation, operation])
      await after.journal.close()
    },
  )

  test.each([
    ['before the copy', true],
    ['after it', false],
  ])('does not send a return again of as much as was captured %s, behind another capture', async (_what, isKnown) => {
    const gateway = obedientGateway()
    const before = shop(gateway, 'one.db')
    await before.pay()
    if (isKnown) await before.change('capture 1', 'capture', '3.00')
    copied('one.db', 'copy.db')
    if (!isKnown) await before.change('capture 1', 'capture', '3.00')
    await before.change('refund 1', 'return', '3.00')
    await before.change('capture 2', 'capture', '2.00')
    await before.journal.close()
    const after = shop(gateway, 'copy.db')
    const { intent, outcome } = await after.change('capture 1', 'capture', '3.00')
    expect(outcome).toBe(isKnown ? 'final' : 'review')
    if (!isKnown) await after.journal.resolveReview(intent.intentId, 'take-status', 'the gateway lists it')
    const refund = await after.change('refund 1', 'return', '3.00')
    expect(refund.outcome).toBe('review')
    await after.journal.resolveReview(refund.intent.intentId, 'take-status', 'the gateway lists it')
    expect((await after.change('capture 2', 'capture', '2.00')).outcome).toBe('review')
    expect(gateway.sent).toHaveLength(4)
    await after.journal.close()
  })

  test('does not send one of two forgotten returns again, though the other was decided on and made meanwhile', async () => {
    const gateway = obedientGateway()
    const before = shop(gateway, 'one.db')
    await before.pay()
    copied('one.db', 'copy.db')
    await before.change('refund 1', 'return', '4.00')
    await before.journal.close()
    const after = shop(gateway, 'copy.db')
    const { intent } = await after.change('refund 2', 'return', '2.00')
    await after.journal.resolveReview(intent.intentId, 'nothing-charged', 'it was refund 1')
    expect((await after.change('refund 2', 'return', '2.00', 'next')).outcome).toBe('accepted')
    const again = await after.change('refund 1', 'return', '4.00')
    expect(again.outcome).toBe('review')
    await after.journal.resolveReview(again.intent.intentId, 'take-status', 'the gateway lists it')
    await after.journal.settled()
    expect(gateway.sent).toEqual(['make-rebill', 'return', 'return'])
    expect(after.told.filter((one) => one === 'outcome approved 400')).toHaveLength(1)
    await after.journal.close()
  })
})

describe('A journal that has lived on', () => {
  test.each([
    ['returns', 'held', ['return 2.00', 'return 2.00', 'return 1.00']],
    ['a capture and returns', 'held', ['capture 10.42', 'return 4.00', 'return 4.00']],
    ['a capture of a part and returns', 'request', ['capture 6.00', 'return 4.00', 'return 1.00']],
    ['a capture of a part and returns', 'rest', ['capture 4.00', 'return 2.00', 'return 2.00']],
    ['captures of parts', 'request', ['capture 4.00', 'capture 3.00', 'return 1.00']],
    ['captures of parts', 'sum', ['capture 4.00', 'capture 3.00', 'return 1.00']],
    ['captures of parts', 'rest', ['capture 4.00', 'capture 3.00', 'return 1.00']],
  ] as const)('sends %s of one order without a person, if the status shows: %s', async (_what, shows, changes) => {
    const gateway = obedientGateway(shows)
    const { pay, change: ask, journal } = shop(gateway, 'one.db')
    await pay()
    for (const one of changes) {
      const [operation, amount] = one.split(' ') as ['return', string]
      expect([one, (await ask(one + gateway.sent.length, operation, amount)).outcome]).toEqual([one, 'accepted'])
    }
    expect(gateway.sent).toEqual(['make-rebill', ...changes.map((one) => one.split(' ')[0])])
    await journal.close()
  })

  test('sends a return of more than what somebody else has taken', async () => {
    const gateway = obedientGateway()
    const { pay, change: ask, journal, clock } = shop(gateway, 'one.db')
    await pay()
    await clock.goOn(3000)
    const [[clientOrderId = '', order] = []] = gateway.orders
    Object.assign(order ?? {}, { type: 'chargeback', kept: 942n })
    await journal.inbox.receive({ clientOrderId, orderId: '1', status: 'approved' })
    await journal.settled()
    expect((await ask('refund 1', 'return', '4.00')).outcome).toBe('accepted')
    await journal.close()
  })
})

test.each([
  ['before it was ever tried', []],
  ['after it never left', [NEVER_LEFT]],
])(
  'What a person has decided was never sent, %s, is not taken for what happens to the order later',
  async (_what, failures) => {
    const gateway = obedientGateway()
    const { pay, change: ask, journal, clock, told, events } = shop(gateway, 'one.db')
    await pay()
    gateway.instead.push(...failures)
    for (const _ of failures) await ask('refund 1', 'return')
    const [[clientOrderId = '', order] = []] = gateway.orders
    const becomes = async (changes: Partial<Order>) => {
      Object.assign(order ?? {}, changes)
      await journal.inbox.receive({ clientOrderId, orderId: '1', status: 'approved' })
      await clock.goOn(3000)
      await journal.settled()
    }
    await becomes({ type: 'chargeback', kept: 642n })
    const { outcome, intent } = await ask('refund 1', 'return')
    expect(outcome).toBe('review')
    await journal.resolveReview(intent.intentId, 'nothing-charged', 'the gateway shows no refund')
    await clock.goOn(3000)
    await journal.settled()
    // What is only held lapses.
    await becomes({ type: 'cancel', kept: 0n })
    expect(told).toEqual(['outcome approved 1042', 'notice approved 400', 'notice approved 642'])
    expect(events.map(({ type }) => type)).not.toContain('ARRIVED_LATE')
    expect([await ask('refund 1', 'return', undefined, 'next'), gateway.sent]).toMatchObject([
      { outcome: 'review', intent: { attempt: 2 } },
      ['make-rebill'],
    ])
    await journal.close()
  },
)

test('A change that is in review since it may have been forgotten is not taken for made if the status is asked again', async () => {
  const gateway = obedientGateway()
  const { pay, change: ask, journal, clock, told } = shop(gateway, 'one.db')
  await pay()
  const [[clientOrderId = '', order] = []] = gateway.orders
  Object.assign(order ?? {}, { type: 'reversal', kept: 842n })
  await journal.inbox.receive({ clientOrderId, orderId: '1', status: 'approved' })
  await clock.goOn(3000)
  await journal.settled()
  const { intent } = await ask('refund 1', 'return', '2.00')
  await journal.resolveReview(intent.intentId, 'ask-again', 'the gateway shows it now')
  await clock.goOn(3000)
  await journal.settled()
  expect(told).toEqual(['outcome approved 1042', 'notice approved 200'])
  expect(await ask('refund 1', 'return', '2.00')).toMatchObject({
    outcome: 'review',
    intent: { reviewReason: 'CHANGED_OTHERWISE' },
  })
  await journal.close()
})

describe('[F-A2] A process that dies while it takes over what it had paid', () => {
  /** A store whose process dies after so many writes. */
  const mortal = (store: JournalStore<DatabaseSync>, writes: number, die: () => void) => {
    let left = writes
    const dying =
      <Args extends readonly unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> => {
        if (left-- > 0) return write(...args)
        die()
        return new Promise(() => {})
      }
    return { ...store, insert: dying(store.insert), update: dying(store.update) }
  }

  test.each([0, 1, 2, 3, 4, 5])('after %d writes has the paid attempt found by the next one', async (writes) => {
    const gateway = obedientGateway()
    gateway.endings.push('declined', 'approved')
    const before = shop(gateway, 'one.db')
    await before.pay()
    await before.pay('next')
    await before.journal.close()
    const dying = shop(gateway, 'two.db', (store) => mortal(store, writes, () => dying.die()))
    await Promise.race([dying.pay(), new Promise((resolve) => setTimeout(resolve, 300))])
    const after = shop(gateway, 'two.db')
    await after.pay()
    expect(await after.pay()).toMatchObject({ outcome: 'final', intent: { attempt: 2, status: 'approved' } })
    expect((await after.attempts()).map(({ status }: Intent) => status)).toEqual(['declined', 'approved'])
    expect(gateway.sent).toHaveLength(2)
    await after.journal.close()
  })
})
