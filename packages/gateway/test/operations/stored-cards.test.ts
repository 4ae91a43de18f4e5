import { describe, expect, test } from 'vitest'
import { memoryStore, simulator } from '../../src/index.ts'
import { deciding } from '../support/acquirers.ts'
import { desk, type Ids, MONEY, refusal, shopKeys } from '../support/desk.ts'
import {
  type Fields,
  merchants,
  oauthSigned,
  PAYER,
  RIVAL,
  SALE,
  SHOP,
  type Signer,
} from '../support/signed-requests.ts'

const DIGITS = /^[1-9]\d{14}$/

/** A desk with an order that was paid by card, and the card's reference. */
async function withCard() {
  const made = desk()
  const ids = await made.sale()
  return { ...made, ids, reference: await made.cardRef(ids) }
}

describe('a card reference', () => {
  test('[S1-07] [S2-08] [S4-27] [S4-37] [G12-09] [G4-03] is made of the card that paid for an order', async () => {
    const { ask, sale } = desk()
    const reply = await ask('/api/v2/create-card-ref', await sale())
    expect(reply).toEqual({
      type: 'create-card-ref-response',
      'serial-number': expect.any(String),
      status: 'approved',
      'card-ref-id': expect.stringMatching(DIGITS),
      http: '200',
    })
  })

  test('is the same for every order of the merchant with the same card, and differs for another card', async () => {
    const { sale, cardRef, reference } = await withCard()
    expect(await cardRef(await sale({ cvv2: '1234', email: 'other@example.com' }))).toBe(reference)
    const others = [{ credit_card_number: '4444555566661111' }, { expire_month: '11' }, { card_printed_name: 'J' }]
    const references = []
    for (const other of others) references.push(await cardRef(await sale(other)))
    expect(new Set([reference, ...references]).size).toBe(4)
  })

  test.for([
    ['declined', { cvv2: '101' }],
    ['unknown', { cvv2: '217' }],
    ['waiting for its payer', { cvv2: '321' }],
  ] as const)('[G3.2-15] is not made of a first payment that is %s', async ([, changes]) => {
    const { sale, ask, askOAuth } = desk()
    const ids = await sale(changes)
    expect(refusal(await ask('/api/v2/create-card-ref', ids))).toBe(
      '9: Refused by rule G3.2-15: the first payment is not finally approved.',
    )
    expect(await askOAuth('/api/v4/create-card-ref', { login: 'shop', ...ids })).toMatchObject({ 'error-code': '9' })
  })

  test('[S4-45] [S4-51] [G4-03] of v4 is the same, with a token of its own and an id of the card', async () => {
    const { askOAuth, ids, reference, send, request } = await withCard()
    const reply = await askOAuth('/api/v4/create-card-ref', { login: 'shop', ...ids })
    expect(reply).toMatchObject({
      type: 'create-card-ref-response',
      'card-ref-id': reference,
      'recurring-payment-id': expect.stringMatching(DIGITS),
      'unq-card-ref-id': expect.stringMatching(DIGITS),
    })
    expect(new Set([reference, reply['recurring-payment-id'], reply['unq-card-ref-id']]).size).toBe(3)
    const rival = await send(request('/api/v2/sale', SALE, RIVAL))
    const rivals: Ids = { client_orderid: 'inv-1', orderid: rival['paynet-order-id'] ?? '' }
    const theirs = await send(request('/api/v2/create-card-ref', rivals, RIVAL))
    expect(theirs['card-ref-id']).toMatch(DIGITS)
    expect(theirs['card-ref-id']).not.toBe(reference)
  })

  test("[G4-03] of v4 has one id for each card number, whoever's it is, and a token for each merchant", async () => {
    const { publicKey } = shopKeys
    const made = desk({ merchants: merchants({ shop: publicKey, rival: publicKey }) })
    const referenceOf = async (signer: Signer, card: Fields) => {
      const { login, endpointId } = signer
      const client_orderid = made.newId()
      const sold = await made.ask('/api/v2/sale', { ...SALE, ...card, client_orderid }, signer)
      const named = { login, client_orderid, orderid: sold['paynet-order-id'] ?? '' }
      const signing = { method: 'RSA-SHA256', key: shopKeys.privateKey, login, nonce: client_orderid }
      return await made.send(oauthSigned(`/api/v4/create-card-ref/${endpointId}`, named, signing))
    }
    const first = await referenceOf(SHOP, {})
    const again = await referenceOf(SHOP, { expire_month: '11', card_printed_name: 'J' })
    const theirs = await referenceOf(RIVAL, {})
    const another = await referenceOf(SHOP, { credit_card_number: '4444555566661111' })
    const id = 'unq-card-ref-id'
    expect(first[id]).toMatch(DIGITS)
    expect([again[id], theirs[id]]).toEqual([first[id], first[id]])
    expect(another[id]).not.toBe(first[id])
    expect(theirs['recurring-payment-id']).not.toBe(first['recurring-payment-id'])
  })

  test('[G3.2-08] is not made under the order id of another order', async () => {
    const { sale, ask, askOAuth } = desk()
    const { client_orderid } = await sale()
    const { orderid } = await sale()
    const crossed = { client_orderid, orderid }
    expect(await ask('/api/v2/create-card-ref', crossed)).toMatchObject({ 'error-code': '2' })
    expect(await askOAuth('/api/v4/create-card-ref', { login: 'shop', ...crossed })).toMatchObject({
      'error-code': '2',
    })
  })

  test('[G4-03] of a transfer has the receiving card as well', async () => {
    const { ask, askOAuth, newId } = desk()
    const { credit_card_number, card_printed_name, expire_month, expire_year } = SALE
    const card = { credit_card_number, card_printed_name, expire_month, expire_year }
    const id = newId()
    const fields = { client_orderid: id, ...MONEY, ...card, 'destination-card-no': '5555555555554444' }
    const { 'paynet-order-id': orderid = '' } = await askOAuth('/api/v4/transfer', fields)
    const reply = await askOAuth('/api/v4/create-card-ref', { login: 'shop', client_orderid: id, orderid })
    const ids = ['card-ref-id', 'recurring-payment-id', 'dst-card-ref-id', 'dst-recurring-payment-id']
    expect(new Set(ids.map((name) => reply[name])).size).toBe(4)
    expect(ids.every((name) => DIGITS.test(reply[name] ?? ''))).toBe(true)
    const lastFourOf = async (cardrefid = '') => (await ask('/api/v2/get-card-info', { cardrefid }))['last-four-digits']
    expect(await lastFourOf(reply['card-ref-id'])).toBe('1111')
    expect(await lastFourOf(reply['dst-card-ref-id'])).toBe('4444')
  })

  test('gets other digits if another card has these already', async () => {
    const inner = memoryStore()
    const asked: string[] = []
    const store = {
      ...inner,
      cardReference: async (login: string, referenceId: string) => {
        const found = await inner.cardReference(login, referenceId)
        asked.push(referenceId)
        return found && asked.length === 1 ? { ...found, cardId: 'of another card' } : found
      },
    }
    const { sale, cardRef } = desk({ store })
    const reference = await cardRef(await sale())
    expect(asked).toHaveLength(2)
    expect(reference).toBe(asked[1])
    expect(asked[0]).not.toBe(asked[1])
  })

  test('of another merchant does not exist', async () => {
    const { send, request, ids, reference } = await withCard()
    const asked = [
      send(request('/api/v2/create-card-ref', ids, RIVAL)),
      send(request('/api/v2/get-card-info', { cardrefid: reference }, RIVAL)),
      send(request('/api/v2/make-rebill', { client_orderid: 'r-1', cardrefid: reference, ...MONEY }, RIVAL)),
    ]
    expect((await Promise.all(asked)).map(({ 'error-code': code }) => code)).toEqual(['2', '8', '8'])
  })
})

describe('card info', () => {
  test('[S2-09] [S4-28] [S4-38] [G4-04] [G13-14] is BIN, brand, masked number and expiry', async () => {
    const { ask, reference } = await withCard()
    expect(await ask('/api/v2/get-card-info', { cardrefid: reference })).toEqual({
      type: 'get-card-info-response',
      'serial-number': expect.any(String),
      bin: '444433',
      'last-four-digits': '1111',
      'card-type': 'VISA',
      'masked-pan': '444433******1111',
      'card-printed-name': 'JOHN SMITH',
      'expire-month': '12',
      'expire-year': '2031',
      http: '200',
    })
  })

  test('is not given for a token', async () => {
    const { ask, askOAuth, ids } = await withCard()
    const { 'recurring-payment-id': token = '' } = await askOAuth('/api/v4/create-card-ref', { login: 'shop', ...ids })
    expect(await ask('/api/v2/get-card-info', { cardrefid: token })).toMatchObject({ 'error-code': '8' })
  })
})

describe('a rebill', () => {
  test.for([
    ['/api/v2/make-rebill', 'sale', 'sale_approved'],
    ['/api/v2/make-rebill-sale', 'sale', 'sale_approved'],
    ['/api/v2/make-rebill-preauth', 'preauth', 'auth_approved'],
  ] as const)('[S1-07] [S4-29] [S4-39] [G12-01] by %s is a %s of the stored card', async ([path, type, stage]) => {
    const { ask, reference, shown, told } = await withCard()
    const reply = await ask(path, { client_orderid: 'r-1', cardrefid: reference, ...MONEY })
    expect(reply).toMatchObject({ type: 'async-response', 'merchant-order-id': 'r-1' })
    expect(await shown({ client_orderid: 'r-1' })).toEqual(['approved', type, stage, '34.00', '34.00'])
    expect(await told({ client_orderid: 'r-1' })).toMatchObject({ bin: '444433', 'last-four-digits': '1111' })
  })

  test('[G13-16] without a CVV is approved, and with one is decided by it', async () => {
    const { ask, reference, shown } = await withCard()
    await ask('/api/v2/make-rebill', { client_orderid: 'r-1', cardrefid: reference, ...MONEY, cvv2: '101' })
    expect(await shown({ client_orderid: 'r-1' })).toEqual(['declined', 'sale', 'sale_failed', '0.00', '34.00'])
  })

  test.for(['make-rebill', 'make-rebill-sale', 'make-rebill-preauth'])(
    '[G3.2-10] with amounts to try in turn is refused by %s: the first alone is not what was asked for',
    async (name) => {
      const { ask, reference, told } = await withCard()
      const fields = { client_orderid: 'r-1', cardrefid: reference, ...MONEY, enumerate_amounts: '34.00,20.00' }
      const words = '1: enumerateAmounts (enumerate_amounts) is not served by this gateway: send one amount, and the '
      expect(refusal(await ask(`/api/v2/${name}`, fields))).toBe(`${words}next after a decline.`)
      expect(refusal(await told({ client_orderid: 'r-1' }))).toMatch(/^2: /)
    },
  )

  test('under another of its names counts as other content', async () => {
    const { ask, reference } = await withCard()
    const fields = { client_orderid: 'r-1', cardrefid: reference, ...MONEY }
    await ask('/api/v2/make-rebill', fields)
    expect(await ask('/api/v2/make-rebill-preauth', fields)).toMatchObject({ 'error-code': '3' })
  })
})

describe('a payment by a reference to a card', () => {
  const payer = { ...PAYER, amount: '10.42', currency: 'EUR' }

  test.for(['/api/v2/sale', '/api/v2/preauth'])(
    '[G13-15] [S4-37] %s takes a card reference or a token',
    async (path) => {
      const { ask, askOAuth, ids, reference, told, newId } = await withCard()
      const { 'recurring-payment-id': token = '' } = await askOAuth('/api/v4/create-card-ref', {
        login: 'shop',
        ...ids,
      })
      const [byReference, byToken] = [newId(), newId()]
      await ask(path, { ...payer, client_orderid: byReference, cardrefid: reference, cvv2: '123' })
      await ask(path, { ...payer, client_orderid: byToken, card_recurring_payment_id: token, cvv2: '123' })
      const card = { status: 'approved', bin: '444433', 'last-four-digits': '1111', 'card-exp-year': '2031' }
      expect(await told({ client_orderid: byReference })).toMatchObject(card)
      expect(await told({ client_orderid: byToken })).toMatchObject({ ...card, 'recurring-payment-id': token })
    },
  )

  test('the acquirer gets the card of the vault', async () => {
    const inner = simulator()
    const pans: Array<string | undefined> = []
    const acquirer = deciding({
      tokenize: async (instrument) => {
        pans.push(instrument.card?.pan.reveal())
        return await inner.tokenize(instrument)
      },
    })
    const { sale, cardRef, ask } = desk({ acquirer })
    const reference = await cardRef(await sale())
    await ask('/api/v2/make-rebill', { client_orderid: 'r-1', cardrefid: reference, ...MONEY })
    expect(pans).toEqual(['4444333322221111', '4444333322221111'])
  })
})
