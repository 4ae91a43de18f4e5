import { describe, expect, test } from 'vitest'
import {
  type AcquirerDestination,
  createSandbox,
  type MerchantOptions,
  memoryStore,
  simulator,
  virtualClock,
} from '../../src/index.ts'
import type { Store } from '../../src/store-port.ts'
import { deciding, declined, listening } from '../support/acquirers.ts'
import { desk, type Ids, MONEY, refusal, shopKeys } from '../support/desk.ts'
import { control, type Fields, merchants, NOW, SALE } from '../support/signed-requests.ts'
import { committing } from '../support/stores.ts'

const CALLBACK = 'https://shop.example.com/callback'

/** The simulator, with the destinations that it was given and what it carried out. */
function destinations() {
  const inner = simulator()
  const seen: Array<AcquirerDestination | undefined> = []
  const { acquirer, executed } = listening({
    tokenize: async (instrument) => {
      seen.push(instrument.destination)
      return await inner.tokenize(instrument)
    },
  })
  return { acquirer, executed, seen }
}

const NOWHERE = {
  pan: undefined,
  accountNumber: undefined,
  routingNumber: undefined,
  bankName: undefined,
  bankBranch: undefined,
  wallet: undefined,
  walletType: undefined,
  phone: undefined,
}

/** The destinations in the words of a request, and as the acquirer is given them. */
const PLACES = [
  [
    'an account',
    { account_number: 'DE02120300000000202051', routing_number: '12030000', bank_name: 'Bank' },
    { accountNumber: 'DE02120300000000202051', routingNumber: '12030000', bankName: 'Bank' },
  ],
  [
    'an account at a branch',
    { account_number: '4081781', bank_name: 'Bank', bank_branch: 'Mitte' },
    { accountNumber: '4081781', bankName: 'Bank', bankBranch: 'Mitte' },
  ],
  [
    'a wallet',
    { destination_wallet: 'roses@wallet.example', destination_wallet_type: 'e-purse' },
    { wallet: 'roses@wallet.example', walletType: 'e-purse' },
  ],
  [
    'an account, though the payer has a phone',
    { account_number: 'DE02120300000000202051', phone: '+79001234567' },
    { accountNumber: 'DE02120300000000202051' },
  ],
  [
    'a wallet, though the payer has a phone',
    { destination_wallet: 'roses@wallet.example', destination_wallet_type: 'e-purse', phone: '+79001234567' },
    { wallet: 'roses@wallet.example', walletType: 'e-purse' },
  ],
  ['a phone, through the fast payment system', { receiver_phone: '+79001234567' }, { phone: '+79001234567' }],
  [
    'the phone of the receiver, though the payer has one',
    { receiver_phone: '+79001234567', phone: '+4930123456' },
    { phone: '+79001234567' },
  ],
  [
    'a phone of the payer group, at a bank',
    { phone: '+79001234567', bank_name: 'Bank' },
    { phone: '+79001234567', bankName: 'Bank' },
  ],
] as const

const CARD = '5555555555554444'

describe('a payout', () => {
  test.for(PLACES)(
    '[S1-09] [S1-10] [S2-20] [S4-43] [S4-49] [G13-09] [G13-24] goes to %s',
    async ([, fields, destination]) => {
      const { acquirer, seen } = destinations()
      const { payout, shown, told } = desk({ acquirer })
      const ids = await payout(fields)
      expect(seen).toEqual([{ ...NOWHERE, ...destination }])
      expect(await shown(ids)).toEqual(['approved', 'payout', 'payout_approved', '34.00', '34.00'])
      expect((await told(ids))['dest-bank-name']).toBe('bank_name' in fields ? 'Bank' : undefined)
    },
  )

  test('[S1-09] [S4-49] [G4-08] goes to a card, and status shows what may be shown of it', async () => {
    const { acquirer, seen } = destinations()
    const { payout, told } = desk({ acquirer })
    const card = {
      credit_card_number: CARD,
      card_printed_name: 'J',
      expire_month: '1',
      expire_year: '31',
    }
    const reply = await told(await payout(card))
    expect(seen[0]?.pan?.reveal()).toBe(CARD)
    expect(reply).toMatchObject({
      'dest-bin': '555555',
      'dest-last-four-digits': '4444',
      'dest-card-type': 'MASTERCARD',
    })
    expect(reply).not.toHaveProperty('bin')
    expect(JSON.stringify(reply)).not.toContain(CARD)
  })

  test('[S4-49] goes to a stored card by its reference', async () => {
    const { acquirer, seen } = destinations()
    const { sale, cardRef, payout, told } = desk({ acquirer })
    const reference = await cardRef(await sale())
    expect(await told(await payout({ 'destination-card-ref-id': reference, phone: '+4930123456' }))).toMatchObject({
      status: 'approved',
      'dest-last-four-digits': '1111',
    })
    expect(seen[1]?.pan?.reveal()).toBe(SALE.credit_card_number)
    expect(seen[1]?.phone).toBeUndefined()
  })

  test('[G3.2-12] [G13-09] to an account without its number does not go to the phone of the payer', async () => {
    const { acquirer, seen } = destinations()
    const { askOAuth } = desk({ acquirer })
    const begun = { client_orderid: 'out-1', ...MONEY, phone: '+4930123456', routing_number: '12030000' }
    const refused = await askOAuth('/api/v2/payout', begun)
    expect([refused['http'], refused['type']]).toEqual(['400', 'validation-error'])
    expect(refusal(refused)).toContain('account_number')
    expect(seen).toEqual([])
  })

  test('is called back when it is final', async () => {
    const { payout, calls } = desk({ acquirer: deciding({ execute: async () => declined() }) })
    await payout({ account_number: '1', server_callback_url: CALLBACK })
    expect(calls.map((url) => new URL(url).searchParams.get('status'))).toEqual(['declined'])
  })
})

describe('a payout in two steps', () => {
  /** Takes both steps: what the acquirer was asked, and what the status shows. */
  async function paidTo(destination: Fields) {
    const made = destinations()
    const { askOAuth, shown, told } = desk({ acquirer: made.acquirer })
    const checked = await askOAuth('/api/v4/payout-check', { client_orderid: 'out-1', ...MONEY, ...destination })
    const ids = { client_orderid: 'out-1', orderid: checked['paynet-order-id'] ?? '' }
    expect(await shown(ids)).toEqual(['processing', 'payout', 'payout_checked', '0.00', '34.00'])
    await askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids })
    expect(await shown(ids)).toEqual(['approved', 'payout', 'payout_approved', '34.00', '34.00'])
    const [check, pay] = made.executed
    expect([check?.kind, pay?.kind, pay?.token]).toEqual(['payout-check', 'payout-pay', check?.token])
    return { seen: made.seen, reply: await told(ids) }
  }

  test('[S1-10] [S3-07] [S4-47] [S4-48] [S4-54] [G13-21] is registered by the check, and executed by the pay', async () => {
    const { payoutCheck, askOAuth, shown } = desk()
    const ids = await payoutCheck()
    expect(await shown(ids)).toEqual(['processing', 'payout', 'payout_checked', '0.00', '34.00'])
    const paid = await askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids })
    expect(paid).toMatchObject({ type: 'async-response', 'paynet-order-id': ids.orderid })
    expect(await shown(ids)).toEqual(['approved', 'payout', 'payout_approved', '34.00', '34.00'])
    expect(refusal(await askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids }))).toMatch(
      /^9: Refused by rule pay-once/,
    )
  })

  test('[S3-07] is paid by its whole amount, and by no part of it', async () => {
    const { payoutCheck, askOAuth, shown } = desk()
    const ids = await payoutCheck()
    const pay = (money: Fields) => askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids, ...money })
    expect(refusal(await pay({ amount: '1.00', currency: 'EUR' }))).toMatch(/^9: Refused by rule S3-07/)
    expect(refusal(await pay({ amount: '34.00', currency: 'USD' }))).toMatch(/^9: Refused by rule order-money/)
    for (const unreadable of [{ amount: '1.00' }, { currency: 'EUR' }, { amount: 'all', currency: 'EUR' }]) {
      expect(await pay(unreadable)).toMatchObject({ http: '400', type: 'validation-error' })
    }
    expect(await shown(ids)).toEqual(['processing', 'payout', 'payout_checked', '0.00', '34.00'])
    expect(await pay(MONEY)).toMatchObject({ http: '200' })
    expect(await shown(ids)).toEqual(['approved', 'payout', 'payout_approved', '34.00', '34.00'])
  })

  test.for(PLACES)('[S1-09] [S1-10] [S4-49] [S4-54] [G13-09] [G13-24] goes to %s', async ([, fields, destination]) => {
    const { seen } = await paidTo(fields)
    expect(seen).toEqual([{ ...NOWHERE, ...destination }])
  })

  test('[S1-09] [S1-10] [S4-49] [S4-54] [G4-08] goes to a card, and status shows what may be shown of it', async () => {
    const { seen, reply } = await paidTo({ credit_card_number: CARD })
    expect(seen.map((destination) => destination?.pan?.reveal())).toEqual([CARD])
    expect(reply).toMatchObject({ 'dest-bin': '555555', 'dest-last-four-digits': '4444' })
    expect(JSON.stringify(reply)).not.toContain(CARD)
  })

  test('[S6-03] [G13-21] is called back once, after the pay', async () => {
    const { payoutCheck, askOAuth, calls } = desk()
    const ids = await payoutCheck({ server_callback_url: CALLBACK })
    expect(calls).toEqual([])
    await askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids })
    expect(calls).toHaveLength(1)
    expect(Object.fromEntries(new URL(calls[0] ?? '').searchParams)).toMatchObject({
      status: 'approved',
      type: 'payout',
      amount: '34.00',
      orderid: ids.orderid,
    })
  })

  test('is called back at once if its check fails, and is not paid', async () => {
    const { payoutCheck, askOAuth, calls, shown } = desk({ acquirer: deciding({ execute: async () => declined() }) })
    const ids = await payoutCheck({ server_callback_url: CALLBACK })
    expect(calls.map((url) => new URL(url).searchParams.get('status'))).toEqual(['declined'])
    expect(await shown(ids)).toEqual(['declined', 'payout', 'payout_check_declined', '0.00', '34.00'])
    expect(refusal(await askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids }))).toMatch(
      /^9: Refused by rule S3-07/,
    )
  })

  test('shows that its pay failed, and nothing was paid out', async () => {
    const inner = simulator()
    const acquirer = deciding({
      execute: async (instruction) =>
        instruction.kind === 'payout-pay' ? declined() : await inner.execute(instruction),
    })
    const { payoutCheck, askOAuth, shown } = desk({ acquirer })
    const ids = await payoutCheck()
    await askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids })
    expect(await shown(ids)).toEqual(['declined', 'payout', 'payout_declined', '0.00', '34.00'])
  })

  test('is checked once and paid once, however often both are requested', async () => {
    const { askOAuth, oauth, gateway } = desk()
    const fields = { client_orderid: 'out-1', ...MONEY, account_number: '1' }
    const [first, again] = [
      await askOAuth('/api/v4/payout-check', fields),
      await askOAuth('/api/v4/payout-check', fields),
    ]
    expect(again).toEqual(first)
    const ids = { client_orderid: 'out-1', orderid: first['paynet-order-id'] ?? '' }
    const pays = [1, 2, 3].map(() => oauth('/api/v4/payout-pay', { login: 'shop', ...ids }))
    const replies = await Promise.all(pays.map((request) => gateway.handle(request)))
    expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400', '400'])
  })

  test('is paid once if fifty pays come at once, and the acquirer receives one', async () => {
    const { acquirer, executed } = listening()
    const { payoutCheck, oauth, gateway, shown, store } = desk({ acquirer })
    const ids = await payoutCheck()
    const pays = Array.from({ length: 50 }, () => oauth('/api/v4/payout-pay', { login: 'shop', ...ids }))
    const replies = await Promise.all(pays.map((request) => gateway.handle(request)))
    await gateway.settled()
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(executed.map(({ kind }) => kind)).toEqual(['payout-check', 'payout-pay'])
    expect(await shown(ids)).toEqual(['approved', 'payout', 'payout_approved', '34.00', '34.00'])
    expect(await store.postingsOf(ids.orderid)).toMatchObject([{ amount: -3400n }, { amount: 3400n }])
  })
})

describe('a payout-check that expires', () => {
  const pay = (made: Pick<ReturnType<typeof desk>, 'askOAuth'>, ids: Ids) =>
    made.askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids })

  test('can be paid for a quarter of an hour', async () => {
    const made = desk()
    const ids = await made.payoutCheck()
    await made.clock.advance(15 * 60_000 - 1)
    expect(await made.shown(ids)).toEqual(['processing', 'payout', 'payout_checked', '0.00', '34.00'])
    expect(await pay(made, ids)).toMatchObject({ type: 'async-response' })
    await made.clock.advance('1d')
    expect(await made.shown(ids)).toEqual(['approved', 'payout', 'payout_approved', '34.00', '34.00'])
  })

  test('is not paid afterwards, and status says that it has ended', async () => {
    const made = desk()
    const ids = await made.payoutCheck()
    await made.clock.advance('15m')
    expect(await made.shown(ids)).toEqual(['declined', 'payout', 'payout_check_expired', '0.00', '34.00'])
    expect(refusal(await pay(made, ids))).toBe(
      '9: Refused by rule check-expiry: the payout-check has expired: check again, under a new order id.',
    )
    expect(await made.store.postingsOf(ids.orderid)).toEqual([])
  })

  test('[S6-03] is called back once, even if something else is quicker to write the order', async () => {
    let rivals = 0
    const store = committing(async (change, commit) =>
      change.order !== undefined && rivals-- > 0 ? { ok: false, conflict: 'order' } : await commit(),
    )
    const made = desk({ store })
    await made.payoutCheck({ server_callback_url: CALLBACK })
    rivals = 1
    await made.clock.advance('15m')
    expect([made.calls.length, rivals]).toEqual([1, -1])
  })

  test('[S6-03] [S6-04] is called back then, with code and message instead of its approval; status and sandbox show the same', async () => {
    const made = desk({ sandbox: true })
    const ids = await made.payoutCheck({ server_callback_url: CALLBACK })
    await made.clock.advance(15 * 60_000 - 1)
    expect(made.calls).toEqual([])
    await made.clock.advance(1)
    const told = {
      'error-code': '9',
      'error-message': expect.stringMatching(/^Not paid in time, by rule check-expiry: /),
    }
    const status = await made.told(ids)
    expect(status).toMatchObject({ status: 'declined', ...told })
    expect(status).not.toHaveProperty('approval-code')
    expect(status).not.toHaveProperty('processor-tx-id')
    expect(made.calls).toHaveLength(1)
    const called = Object.fromEntries(new URL(made.calls[0] ?? '').searchParams)
    expect(called).toMatchObject({
      status: 'declined',
      type: 'payout',
      ...ids,
      amount: '34.00',
      error_code: '9',
      error_message: told['error-message'],
      control: control('status + orderid + client_orderid + key', { status: 'declined', ...ids }),
    })
    expect(called).not.toHaveProperty('approval-code')
    const sandbox = createSandbox(made.gateway)
    const { body } = await sandbox({ method: 'GET', url: `/__sandbox/orders/${ids.orderid}`, headers: {}, body: '' })
    expect(JSON.parse(body)).toMatchObject({ status: 'declined', orderStage: 'payout_check_expired' })
    await made.clock.advance('30d')
    expect(made.calls).toHaveLength(1)
    expect(await made.store.nextDueAt()).toBeUndefined()
  })

  test.for(['approved', 'declined'] as const)(
    '[S6-03] that was paid in time is called back once, with the outcome of the second step: %s',
    async (outcome) => {
      const { execute } = simulator()
      const acquirer = deciding({
        execute: async (instruction) =>
          instruction.kind === 'payout-pay' && outcome === 'declined' ? declined() : await execute(instruction),
      })
      const made = desk({ acquirer })
      const ids = await made.payoutCheck({ server_callback_url: CALLBACK })
      await made.clock.advance('14m')
      await pay(made, ids)
      await made.clock.advance('30d')
      expect(made.calls.map((url) => new URL(url).searchParams.get('status'))).toEqual([outcome])
    },
  )

  test('is not paid by a request that read the order before it expired', async () => {
    const clock = virtualClock(NOW * 1000)
    let isHeldUp = false
    const store = memoryStore()
    const slow: Store = {
      ...store,
      findOrder: async (names) => {
        const order = await store.findOrder(names)
        if (isHeldUp) {
          isHeldUp = false
          await clock.advance('20s')
        }
        return order
      },
    }
    const made = desk({ clock, store: slow })
    const ids = await made.payoutCheck({ server_callback_url: CALLBACK })
    await clock.advance('890s')
    isHeldUp = true
    expect(refusal(await pay(made, ids))).toMatch(/^9: Refused by rule check-expiry/)
    expect(made.calls.map((url) => new URL(url).searchParams.get('status'))).toEqual(['declined'])
  })

  test('and was called back so is not paid by a process whose clock is behind, and shows the same there', async () => {
    const store = memoryStore()
    const one = desk({ store })
    const other = desk({ store, clock: virtualClock(NOW * 1000) })
    const ids = await one.payoutCheck({ server_callback_url: CALLBACK })
    expect(await other.shown(ids)).toEqual(['processing', 'payout', 'payout_checked', '0.00', '34.00'])
    await one.clock.advance('15m')
    expect(one.calls).toHaveLength(1)
    expect(await other.shown(ids)).toEqual(['declined', 'payout', 'payout_check_expired', '0.00', '34.00'])
    expect(await other.told(ids)).toMatchObject({ status: 'declined', 'error-code': '9' })
    const paid = await other.askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids }, { nonce: 'of the other' })
    expect(refusal(paid)).toMatch(/^9: Refused by rule check-expiry/)
    expect(await store.postingsOf(ids.orderid)).toEqual([])
  })

  test('lasts as long as its endpoint says', async () => {
    const [shop, ...others] = merchants({ shop: shopKeys.publicKey })
    const endpoints = [{ id: '1111', payoutCheckFor: '2h' }]
    const made = desk({ merchants: [{ ...shop, endpoints } as MerchantOptions, ...others] })
    const [first, second] = [await made.payoutCheck(), await made.payoutCheck()]
    await made.clock.advance('119m')
    expect(await pay(made, first)).toMatchObject({ type: 'async-response' })
    await made.clock.advance('1m')
    expect(refusal(await pay(made, second))).toMatch(/^9: Refused by rule check-expiry/)
  })
})

test('[G13-10] a repeat with another CVV, which a payout does not have, gets the first answer', async () => {
  const { askOAuth } = desk()
  const payout = { client_orderid: 'out-1', ...MONEY, account_number: '4081781' }
  const first = await askOAuth('/api/v2/payout', { ...payout, cvv2: '123', cvc: '123' })
  expect(first['http']).toBe('200')
  expect(await askOAuth('/api/v2/payout', { ...payout, cvv2: '124', cvc: '125' })).toEqual(first)
})
