import { describe, expect, test } from 'vitest'
import {
  type Acquirer,
  type AuthenticationResponse,
  type MerchantOptions,
  type OperationRequest,
  simulator,
  type Token,
  type TokenizationRefused,
  type TokenizationRequest,
} from '../../src/index.ts'
import { counter, TYPED } from '../pages/browser.ts'
import { APPROVED, deciding, declined, UNKNOWN } from '../support/acquirers.ts'
import { desk, MONEY, refusal, shopKeys } from '../support/desk.ts'
import { FORMULAS } from '../support/formulas.ts'
import { recurringDesk } from '../support/recurring.ts'
import { controlled, fieldsOf, oauthSigned, RIVAL, SALE, SHOP, sale } from '../support/signed-requests.ts'

const MERCHANTS: readonly MerchantOptions[] = [
  {
    login: 'shop',
    controlKey: SHOP.controlKey,
    publicKey: shopKeys.publicKey,
    endpoints: [{ id: 1111, currencies: ['EUR'] }, { id: 1112 }],
    groups: [{ id: 77, endpoints: [1111, 1112] }],
  },
  { login: 'rival', controlKey: RIVAL.controlKey, endpoints: [{ id: 2222 }] },
]

/** An acquirer that keeps all that it is told, by the method that was told it. */
function telling(changes: Partial<Acquirer> = {}) {
  const inner = { ...simulator(), ...changes }
  const told = {
    tokenize: [] as TokenizationRequest[],
    execute: [] as OperationRequest[],
    authenticate: [] as Array<OperationRequest & AuthenticationResponse>,
    lookup: [] as OperationRequest[],
  }
  const acquirer: Acquirer = {
    isSimulated: true,
    tokenize: (preparation) => {
      told.tokenize.push(preparation)
      return inner.tokenize(preparation)
    },
    execute: (instruction) => {
      told.execute.push(instruction)
      return inner.execute(instruction)
    },
    authenticate: (instruction, result) => {
      told.authenticate.push({ ...instruction, ...result })
      return inner.authenticate(instruction, result)
    },
    lookup: (instruction) => {
      told.lookup.push(instruction)
      return inner.lookup(instruction)
    },
  }
  return { acquirer, told }
}

describe('the acquirer is told', () => {
  test('[F-D1] login, endpoint and order in each call, so that two merchants and their terminals are told apart', async () => {
    const { acquirer, told } = telling({ execute: async () => UNKNOWN, lookup: async () => APPROVED })
    const { send, clock } = desk({ merchants: MERCHANTS, acquirer })
    await send(sale())
    await send(sale({ client_orderid: 'inv-2' }, { ...SHOP, endpointId: '1112' }))
    await send(sale({ client_orderid: 'inv-3' }, RIVAL))
    await clock.advance('2m')
    const orders = [
      { login: 'shop', endpointId: '1111', clientOrderId: 'inv-1', initiatedBy: 'cardholder' },
      { login: 'shop', endpointId: '1112', clientOrderId: 'inv-2', initiatedBy: 'cardholder' },
      { login: 'rival', endpointId: '2222', clientOrderId: 'inv-3', initiatedBy: 'cardholder' },
    ]
    told.lookup.sort((one, other) => one.clientOrderId.localeCompare(other.clientOrderId))
    expect(told).toMatchObject({ tokenize: orders, execute: orders, lookup: orders })
    expect(told.tokenize).toMatchObject(Array(3).fill({ kind: 'sale', amount: 1042n, currency: 'EUR', decimals: 2 }))
    expect([...told.tokenize, ...told.execute].map(({ groupId }) => groupId)).toEqual(Array(6).fill(undefined))
  })

  test('[F-D1] the same when a customer has authenticated', async () => {
    const { acquirer, told } = telling({ authenticate: async () => APPROVED })
    const { sale: pay, ask } = desk({ merchants: MERCHANTS, acquirer })
    const ids = await pay({ cvv2: '321' })
    const names = { login: 'shop', orderid: ids.orderid, 'client-order-id': ids.client_orderid }
    await ask('/api/3ds/v1/upload-cres-result', { ...names, cRes: 'eyJ0cmFuc1N0YXR1cyI6IlkifQ' })
    expect(told.authenticate).toMatchObject([
      { login: 'shop', endpointId: '1111', clientOrderId: 'inv-1', history: [] },
    ])
  })

  test('[F-D1] the group that the request came by, and the endpoint that it was routed to', async () => {
    const { acquirer, told } = telling()
    const { send, ask, gateway } = desk({ merchants: MERCHANTS, acquirer })
    const at77 = { ...SHOP, endpointId: '77' }
    const fields = { ...SALE, currency: 'USD' }
    const reply = fieldsOf(await gateway.handle(controlled('/api/v2/sale/group', FORMULAS.paid, fields, at77)))
    await gateway.settled()
    await ask('/api/v2/return', { client_orderid: 'inv-1', orderid: reply['paynet-order-id'] ?? '' })
    const routed = { endpointId: '1112', groupId: '77' }
    expect(told).toMatchObject({ tokenize: [routed], execute: [routed, routed] })
    const payout = { client_orderid: 'out-1', ...MONEY, account_number: '1' }
    const key = { method: 'RSA-SHA256', key: shopKeys.privateKey }
    await send(oauthSigned('/api/v4/payout-check/group/77', payout, key))
    expect(told.tokenize[1]).toMatchObject({ endpointId: '1111', groupId: '77', initiatedBy: 'merchant' })
  })

  test('[F-D1] what was done to the order before, with the references of the bank, in each later call', async () => {
    let count = 0
    const { acquirer, told } = telling({
      execute: async ({ kind }) =>
        kind === 'reversal'
          ? UNKNOWN
          : { status: 'approved', approvalCode: `A${++count}`, processorTxId: `tx-${count}`, rrn: `R${count}` },
      lookup: async () => APPROVED,
    })
    const { preauth, capture, return: giveBack, clock } = desk({ merchants: MERCHANTS, acquirer })
    const ids = await preauth()
    await clock.advance('1h')
    await capture(ids, { amount: '4.00', currency: 'EUR' })
    await clock.advance('1h')
    await giveBack(ids, { amount: '1.00', currency: 'EUR' })
    await clock.advance('2m')
    const of = { orderId: ids.orderid, clientOrderId: 'inv-1' }
    const at = clock.now() - 7_200_000 - 120_000
    const held = { ...of, reference: `${ids.orderid}-1`, kind: 'preauth', status: 'approved', amount: 1042n, at }
    const taken = { ...of, reference: `${ids.orderid}-2`, kind: 'capture', status: 'approved', amount: 400n }
    const [preauthed, captured] = [
      { ...held, approvalCode: 'A1', processorTxId: 'tx-1', rrn: 'R1' },
      { ...taken, at: at + 3_600_000, approvalCode: 'A2', processorTxId: 'tx-2', rrn: 'R2' },
    ]
    expect(told.execute.map(({ history }) => history)).toEqual([[], [preauthed], [preauthed, captured]])
    expect(told.lookup.map(({ kind, history }) => [kind, history])).toEqual([['reversal', [preauthed, captured]]])
  })

  test('[F-D1] of a rebill that the merchant initiated it, and the first payment with the card', async () => {
    const { acquirer, told } = telling()
    const { sale: pay, cardRef, ask, void: cancel } = desk({ merchants: MERCHANTS, acquirer })
    const first = await pay()
    const cardrefid = await cardRef(first)
    for (const id of ['r-1', 'r-2']) {
      await ask('/api/v2/make-rebill-preauth', { login: 'shop', client_orderid: id, cardrefid, ...MONEY })
    }
    const firstPayment = {
      reference: `${first.orderid}-1`,
      orderId: first.orderid,
      clientOrderId: first.client_orderid,
      processorTxId: `PNTEST-${first.orderid}`,
    }
    const rebills = Array(2).fill({ kind: 'preauth', initiatedBy: 'merchant', firstPayment, history: [] })
    expect(told.execute.slice(1)).toMatchObject(rebills)
    expect(told.tokenize.slice(1)).toMatchObject(Array(2).fill({ initiatedBy: 'merchant', firstPayment }))
    expect([told.execute[0]?.initiatedBy, told.execute[0]?.firstPayment]).toEqual(['cardholder', undefined])
    const rebilled = told.execute[1]?.orderId ?? ''
    await cancel({ client_orderid: 'r-1', orderid: rebilled })
    expect(told.execute.at(-1)).toMatchObject({ kind: 'cancel', initiatedBy: 'merchant', firstPayment })
  })

  test('[F-D1] of a scheduled charge that the schedule initiated it, and the first that was approved', async () => {
    const answers = [declined(), { ...APPROVED, rrn: 'R-2' }]
    const { acquirer, told } = telling({ execute: async () => answers.shift() ?? APPROVED })
    const { profile, clock } = recurringDesk({ acquirer })
    const id = await profile()
    await clock.advance('130d')
    const [declinedCharge, second, third, fourth] = told.execute
    expect(told.execute.map(({ initiatedBy }) => initiatedBy)).toEqual(told.execute.map(() => 'schedule'))
    expect([declinedCharge?.firstPayment, second?.firstPayment]).toEqual([undefined, undefined])
    const first = { clientOrderId: `${id}-2`, orderId: second?.orderId, reference: second?.reference, rrn: 'R-2' }
    expect([third, fourth]).toMatchObject([{ firstPayment: first }, { firstPayment: first }])
    expect(told.tokenize.slice(2, 4)).toMatchObject([{ firstPayment: first }, { firstPayment: first }])
  })

  test('[F-D1] of a charge on request the first that was approved, whether the schedule began with a declined one', async () => {
    const answers = [declined()]
    const { acquirer, told } = telling({ execute: async () => answers.shift() ?? APPROVED })
    const { profile, clock, askOAuth } = recurringDesk({ acquirer })
    const id = await profile()
    await clock.advance('70d')
    await askOAuth('/api/v4/process-recurring-payment', { 'client-orderid': 'now', 'recurring-payment-id': id })
    const [, second] = told.execute
    const first = { clientOrderId: `${id}-2`, orderId: second?.orderId, reference: second?.reference }
    expect(told.execute.at(-1)).toMatchObject({ clientOrderId: 'now', firstPayment: first })
  })

  test('[F-D1] for whom a hosted form is, when the customer sends it', async () => {
    const { acquirer, told } = telling()
    const { openForm, submit } = counter({ acquirer })
    const { address, ids } = await openForm()
    await submit(address, TYPED)
    const whose = { login: 'shop', endpointId: '1111', clientOrderId: ids.client_orderid, initiatedBy: 'cardholder' }
    expect(told).toMatchObject({ tokenize: [{ ...whose, kind: 'sale' }], execute: [whose] })
  })
})

const CARDS_ONLY = 'This bank sends money to cards only.'

/** Refuses what has no card, as a bank that takes cards only. */
const cardsOnly: Acquirer['tokenize'] = async (preparation) =>
  preparation.card === undefined && preparation.destination?.pan === undefined
    ? { refused: CARDS_ONLY }
    : await simulator().tokenize(preparation)

describe('an acquirer that refuses in tokenize', () => {
  test('[F-D4] is a validation error with the reason, and there is no order', async () => {
    const { acquirer, told } = telling({ tokenize: cardsOnly })
    const { askOAuth, told: status, heard } = desk({ acquirer })
    const payout = { client_orderid: 'out-1', ...MONEY, account_number: '4081' }
    const reply = await askOAuth('/api/v2/payout', payout)
    expect(reply).toMatchObject({ http: '400', type: 'validation-error', 'merchant-order-id': 'out-1' })
    expect(refusal(reply)).toBe(`14: ${CARDS_ONLY}`)
    expect(refusal(await status({ client_orderid: 'out-1' }))).toMatch(/^2: /)
    expect([told.execute, heard]).toEqual([[], []])
    const { account_number: _, ...others } = payout
    expect(await askOAuth('/api/v2/payout', { ...others, credit_card_number: '4444333322221111' })).toMatchObject({
      http: '200',
    })
  })

  test('[F-D4] shows no card number in the reason, and at most 500 characters', async () => {
    const quoting = { refused: `4444333322221111 ${'x'.repeat(600)}` }
    const { gateway } = desk({ acquirer: deciding({ tokenize: async () => quoting }) })
    const { 'error-message': message = '' } = fieldsOf(await gateway.handle(sale()))
    expect([message.slice(0, 17), message.length]).toEqual(['444433******1111 ', 500])
  })

  test('[F-D4] on a hosted form asks the customer for another card, and tells the merchant after the last try', async () => {
    let isRefused = true
    const tokenize: Acquirer['tokenize'] = async (preparation) =>
      isRefused ? { refused: 'No cards of this bank.' } : await simulator().tokenize(preparation)
    const { openForm, send, submit, shown, told } = counter({ acquirer: deciding({ tokenize }) })
    const again = await openForm()
    expect((await send(again.address, TYPED)).body).toContain('This card is not accepted here: use another one')
    isRefused = false
    await submit(again.address, TYPED)
    expect((await shown(again.ids))[0]).toBe('approved')
    isRefused = true
    const { address, ids } = await openForm()
    for (let tried = 0; tried < 3; tried++) await send(address, TYPED)
    expect(await told(ids)).toMatchObject({
      status: 'error',
      'error-message': expect.stringMatching(/three times .* No cards of this bank\.$/),
    })
  })

  test('[F-D4] at a scheduled charge ends its order as filtered, without asking the acquirer', async () => {
    const { acquirer, told } = telling({ tokenize: async () => ({ refused: 'No cards of this bank.' }) })
    const { profile, told: status, clock, heard } = recurringDesk({ acquirer })
    const id = await profile()
    await clock.advance('1m')
    expect(await status({ client_orderid: `${id}-1` })).toMatchObject({
      status: 'filtered',
      'error-code': '14',
      'error-message': 'No cards of this bank.',
    })
    expect([told.execute, heard]).toEqual([[], []])
  })

  test.for([42, '', '  ', null, {}])('[F-D4] with %j for a reason is a failure that names it', async (refused) => {
    const tokenize = async () => ({ refused }) as TokenizationRefused | Token
    const { gateway, heard } = desk({ acquirer: deciding({ tokenize }) })
    expect(await gateway.handle(sale())).toMatchObject({ status: 500 })
    expect(String(heard[0]?.[0])).toMatch(/refused in tokenize without a reason/)
  })
})

describe('an acquirer that throws', () => {
  const boom = () => {
    throw new Error('boom')
  }
  test.for(['tokenize', 'execute', 'authenticate', 'lookup'] as const)(
    '[F-D4] in %s is reported by the name of the method',
    async (method) => {
      const acquirer = deciding({
        execute: async (instruction) =>
          instruction.browser === undefined ? UNKNOWN : await simulator().execute(instruction),
        [method]: boom,
      })
      const { send, ask, heard, clock } = desk({ acquirer })
      const reply = await send(sale({ cvv2: method === 'authenticate' ? '321' : '123' }))
      const orderid = reply['paynet-order-id'] ?? ''
      await ask('/api/3ds/v1/upload-cres-result', {
        login: 'shop',
        orderid,
        'client-order-id': 'inv-1',
        cRes: 'eyJ0cmFuc1N0YXR1cyI6IlkifQ',
      })
      await clock.advance('2m')
      expect(String(heard[0]?.[0])).toBe(`Error: The acquirer has failed in ${method}: boom`)
    },
  )
})
