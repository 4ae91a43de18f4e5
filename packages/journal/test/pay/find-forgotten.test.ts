import type { Exchange } from '@tallystick/client'
import { createPaymentClient } from '@tallystick/client'
import { expect, test } from 'vitest'
import { createJournal, memoryJournalStore, sqliteJournalStore } from '../../src/index.ts'
import { rebillOrderId } from '../../src/intents/business-key.ts'
import type { JournalOptions } from '../../src/options.ts'
import { decidingClient } from '../deciding-client.ts'
import { handClock } from '../hand-clock.ts'
import { ownFolder } from '../own-folder.ts'
import { type Answer, rebill, replied, shopProcess, statusReply } from '../shop-process.ts'

const inFolder = ownFolder()
const HTML: Exchange = { kind: 'replied', httpStatus: 403, mediaType: 'text/html', body: '<html>blocked</html>' }
const NO_SUCH_ORDER = replied({ type: 'validation-error', 'error-code': '2', 'error-message': 'No such order' })

/** A gateway that makes an order for each request: it does not hold client order ids unique. */
function carelessGateway() {
  const charged: string[] = []
  const world = {
    charged,
    sent: [] as string[],
    /** How it answers the next requests, before all others. */
    instead: [] as Exchange[],
    /** What the status of a charge shows. */
    shown: { status: 'approved', amount: '10.42', currency: 'USD' } as Record<string, string>,
    statusInstead: undefined as Exchange | undefined,
  }
  const answer: Answer = async (operation, request) => {
    const clientOrderId = new URLSearchParams(request.body).get('client_orderid') ?? ''
    world.sent.push(operation)
    if (operation === 'status') {
      if (world.statusInstead !== undefined) return world.statusInstead
      return charged.includes(clientOrderId) ? statusReply(request, world.shown) : NO_SUCH_ORDER
    }
    const instead = world.instead.shift()
    if (instead !== undefined) return instead
    charged.push(clientOrderId)
    return replied({ type: 'async-response', 'paynet-order-id': '9', 'merchant-order-id': clientOrderId })
  }
  return { ...world, world, answer }
}

const sale = { ...rebill, cvv2: '123' }

function shop(
  gateway: ReturnType<typeof carelessGateway>,
  file: string,
  options: Partial<JournalOptions<never>> & { readonly madeAt?: number } = {},
) {
  const { noPaymentsBefore, orderIdKey, madeAt } = options
  const given = { ...(noPaymentsBefore && { noPaymentsBefore }), ...(orderIdKey !== undefined && { orderIdKey }) }
  const onDisk = sqliteJournalStore({ file: inFolder(file) })
  const store = madeAt === undefined ? onDisk : { ...onDisk, madeAt: async () => madeAt }
  const told: string[] = []
  const clock = handClock(1_000)
  const { journal } = shopProcess({
    ...given,
    store,
    clock,
    answer: gateway.answer,
    handler: ({ outcome }) => void told.push(`${outcome.kind} ${outcome.status}`),
  })
  const pay = (key: string, attempt?: number | 'next') =>
    journal.pay({ profile: 'sub', period: key }, 'makeRebill', sale, attempt === undefined ? {} : { attempt })
  return { journal, store, clock, told, pay }
}

test('[F-A2] a journal whose file is gone takes over what it had paid, and charges nobody again', async () => {
  const gateway = carelessGateway()
  const before = shop(gateway, 'one.db')
  const { intent } = await before.pay('7')
  await before.journal.close()

  const after = shop(gateway, 'two.db')
  const again = await after.pay('7')
  expect(again).toMatchObject({ outcome: 'final', intent: { status: 'approved', clientOrderId: intent.clientOrderId } })
  await after.journal.settled()
  expect([gateway.charged, after.told]).toEqual([
    [rebillOrderId({ profile: 'sub', period: '7' }, 1)],
    ['outcome approved'],
  ])
  await after.journal.close()
})

test('an order that was taken over goes to review if the gateway shows other money', async () => {
  const gateway = carelessGateway()
  const before = shop(gateway, 'one.db')
  await before.pay('7')
  await before.journal.close()
  gateway.world.shown = { status: 'approved', amount: '99.00', currency: 'USD' }
  const after = shop(gateway, 'two.db')
  expect(await after.pay('7')).toMatchObject({ outcome: 'review', intent: { reviewReason: 'AMOUNT_DIFFERS' } })
  expect(gateway.charged).toHaveLength(1)
  await after.journal.close()
})

test('nothing is sent if the gateway knows every client order id, and it is not asked without end', async () => {
  const gateway = carelessGateway()
  const approving: Answer = async (operation, request) => {
    gateway.sent.push(operation)
    return statusReply(request, gateway.world.shown)
  }
  const { journal, pay } = shop({ ...gateway, answer: approving }, 'one.db')
  expect(await pay('7')).toMatchObject({ outcome: 'notSent', error: { seen: expect.stringContaining('every client') } })
  expect(gateway.sent).toEqual(['status', 'status', 'status', 'status'])
  await journal.close()
})

const REFUSED = replied({ type: 'validation-error', 'error-code': '9', 'error-message': 'the card is blocked' })
const NEVER_LEFT: Exchange = { kind: 'not-sent', seen: 'the connection was refused' }

test.each([
  ['were refused by the gateway', 2, [REFUSED, REFUSED]],
  ['never left', 12, Array.from({ length: 60 }, () => NEVER_LEFT)],
])('an attempt that was paid is found again behind attempts that %s', async (_, attempts, answers) => {
  const gateway = carelessGateway()
  const before = shop(gateway, 'one.db')
  gateway.world.instead.push(...answers)
  for (let call = 0; call < answers.length; call++) await before.pay('7', 'next')
  expect(await before.pay('7', 'next')).toMatchObject({ outcome: 'accepted', intent: { attempt: attempts + 1 } })
  await before.journal.close()

  const after = shop(gateway, 'two.db')
  expect(await after.pay('7', 'next')).toMatchObject({ outcome: 'final', intent: { status: 'approved' } })
  expect(gateway.charged).toHaveLength(1)
  await after.journal.close()
})

test('an attempt that was declined before the loss is told with the paid one that followed it', async () => {
  const gateway = carelessGateway()
  const before = shop(gateway, 'one.db')
  gateway.world.shown = { status: 'declined', amount: '10.42', currency: 'USD' }
  await before.pay('7')
  await before.clock.goOn(3000)
  await before.journal.reconcile()
  await before.pay('7', 'next')
  await before.journal.close()

  const [, second] = gateway.charged
  const after = shop(
    {
      ...gateway,
      answer: async (operation, request) => {
        const isSecond = new URLSearchParams(request.body).get('client_orderid') === second
        gateway.world.shown = { status: isSecond ? 'approved' : 'declined', amount: '10.42', currency: 'USD' }
        return await gateway.answer(operation, request)
      },
    },
    'two.db',
  )
  expect(await after.pay('7')).toMatchObject({ outcome: 'final', intent: { attempt: 2, status: 'approved' } })
  expect((await after.journal.attempts({ profile: 'sub', period: '7' })).map(({ status }) => status)).toEqual([
    'declined',
    'approved',
  ])
  expect(gateway.charged).toHaveLength(2)
  await after.journal.close()
})

test.each([
  ['a proxy answers', HTML],
  ['there is no answer', { kind: 'lost', seen: 'there was no reply' } as Exchange],
  ['the gateway refuses it for another reason', REFUSED],
])(
  'nothing is sent for an unknown key if %s when its status is asked, and the next call sends it',
  async (_, answer) => {
    const gateway = carelessGateway()
    const { pay, journal } = shop(gateway, 'one.db')
    gateway.world.statusInstead = answer
    const held = await pay('7')
    expect(held).toMatchObject({ outcome: 'notSent', error: { code: 'NOT_SENT' } })
    expect(String(Object(held).error.message)).toContain('did not say whether this payment was made before')
    expect(gateway.charged).toEqual([])
    gateway.world.statusInstead = undefined
    expect(await pay('7')).toMatchObject({ outcome: 'accepted', intent: { attempt: 1 } })
    await journal.close()
  },
)

test('a payment that was prepared in a store made anew is asked for before it is sent', async () => {
  const gateway = carelessGateway()
  const before = shop(gateway, 'one.db')
  await before.pay('7')
  await before.journal.close()
  const after = shop(gateway, 'two.db')
  const key = { profile: 'sub', period: '7' }
  const prepared = await after.journal.prepare(key, 'makeRebill', sale, undefined as never)
  expect(prepared.ok).toBe(true)
  expect(await after.pay('7')).toMatchObject({ outcome: 'final', intent: { intentId: prepared.intent.intentId } })
  expect(gateway.charged).toHaveLength(1)
  await after.journal.close()
})

test('a store that is older than the first payment of its shop asks nothing; one that is younger asks', async () => {
  const gateway = carelessGateway()
  const noPaymentsBefore = new Date('2020-01-01')
  const old = shop(gateway, 'one.db', { noPaymentsBefore, madeAt: noPaymentsBefore.getTime() - 1 })
  await old.pay('7')
  expect(gateway.sent).toEqual(['make-rebill'])
  const young = shop(gateway, 'two.db', { noPaymentsBefore })
  await young.pay('8')
  expect(gateway.sent).toEqual(['make-rebill', 'status', 'status', 'status', 'make-rebill'])
  await old.journal.close()
  await young.journal.close()
})

test('a time to come is refused: every store would be older, also one that is made anew', () => {
  const make = (noPaymentsBefore: Date) =>
    createJournal({ client: decidingClient(), store: memoryJournalStore(), noPaymentsBefore })
  expect(() => make(new Date(Date.now() + 60_000))).toThrow(/noPaymentsBefore must be a Date that is not in the future/)
  expect(() => make(new Date('no date'))).toThrow(/noPaymentsBefore/)
  expect(() => make(new Date())).not.toThrow()
})

test('a key that the store knows is never asked for again', async () => {
  const gateway = carelessGateway()
  const { pay, journal } = shop(gateway, 'one.db')
  await pay('7')
  gateway.sent.length = 0
  await pay('7')
  expect(gateway.sent).toEqual([])
  await journal.close()
})

test('a return that may have been made before the loss goes to review, and is sent once a person says that it was not', async () => {
  const gateway = carelessGateway()
  const before = shop(gateway, 'one.db')
  const { intent } = await before.pay('7')
  await before.journal.close()
  gateway.world.shown = {
    status: 'approved',
    'transaction-type': 'reversal',
    amount: '6.42',
    'initial-amount': '10.42',
    currency: 'USD',
  }
  const after = shop(gateway, 'two.db')
  const part = { clientOrderId: intent.clientOrderId, orderId: '9', amount: '4.00', currency: 'USD', comment: 'a cup' }
  const first = await after.journal.pay('refund 1', 'return', part)
  expect(first).toMatchObject({ outcome: 'review', intent: { reviewReason: 'CHANGED_OTHERWISE' } })
  expect(gateway.sent).not.toContain('return')
  await after.journal.resolveReview(first.intent.intentId, 'nothing-charged', 'the gateway lists another return')
  await after.journal.pay('refund 1', 'return', part, { attempt: 2 })
  expect(gateway.sent.filter((operation) => operation === 'return')).toHaveLength(1)
  await after.journal.close()
})

test('a return that was made before the loss is told when a person takes the status of its order', async () => {
  const gateway = carelessGateway()
  const before = shop(gateway, 'one.db')
  const { intent } = await before.pay('7')
  await before.journal.close()
  gateway.world.shown = {
    status: 'approved',
    'transaction-type': 'reversal',
    amount: '6.42',
    'initial-amount': '10.42',
    currency: 'USD',
  }
  const after = shop(gateway, 'two.db')
  const part = { clientOrderId: intent.clientOrderId, orderId: '9', amount: '4.00', currency: 'USD', comment: 'a cup' }
  const first = await after.journal.pay('refund 1', 'return', part)
  const taken = await after.journal.resolveReview(first.intent.intentId, 'take-status', 'the gateway shows it')
  await after.journal.settled()
  expect([taken.state, taken.status, after.told]).toEqual(['FINAL', 'approved', ['outcome approved']])
  expect(gateway.sent).not.toContain('return')
  await after.journal.close()
})

const client = (controlKey: string, login = 'shop', endpointId = '1') =>
  createPaymentClient({ baseUrl: 'http://127.0.0.1:1/paynet', login, controlKey, endpointId })

test('the id that follows from a key is the same again, and another one for any other shop, key or attempt', () => {
  const names = ['invoice 77', '1']
  const id = client('a control key').derivedClientOrderId(names)
  expect(id).toMatch(/^[a-p][0-9a-v]{24}[a-p]$/)
  expect(client('a control key').derivedClientOrderId(names)).toBe(id)
  const others = [
    client('another control key').derivedClientOrderId(names),
    client('a control key', 'shop-2').derivedClientOrderId(names),
    client('a control key', 'shop', '2').derivedClientOrderId(names),
    client('a control key').derivedClientOrderId(['invoice 77', '2']),
    client('a control key').derivedClientOrderId(['invoice 771', '']),
    client('a control key').derivedClientOrderId(names, 'a key of the journal'),
  ]
  expect(new Set([id, ...others]).size).toBe(7)
  // What card numbers look like to whoever masks them.
  for (let n = 0; n < 2000; n++) {
    expect(client('a control key').derivedClientOrderId(['k', String(n)])).not.toMatch(/\d{8}/)
  }
})

test('orders of an earlier key are found with a list of keys, and those of a new one by the new key', async () => {
  const asked: string[] = []
  const spying = decidingClient()
  const spied = {
    ...spying,
    status: async ({ clientOrderId = '' }: { clientOrderId?: string }) => {
      asked.push(clientOrderId)
      throw new Error('enough')
    },
  }
  const store = { ...memoryJournalStore(), madeAt: async () => 0 }
  const orderIdKey = ['the key of this year 1234', 'the key of last year 123'] as const
  const journal = createJournal({ client: spied as never, store, orderIdKey, onEvent: () => {} })
  await expect(journal.pay('invoice 77', 'saleForm', {} as never)).rejects.toThrow('enough')
  const ids = [1, 2, 3].flatMap((n) =>
    orderIdKey.map((key) => spying.derivedClientOrderId(['invoice 77', String(n)], key)),
  )
  expect(asked).toEqual(ids)
  const [first] = await journal.attempts('invoice 77')
  expect(first?.clientOrderId).toBe(ids[0])
})
