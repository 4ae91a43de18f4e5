import { describe, expect, test } from 'vitest'
import type { PaymentMethod } from '../../src/acquirer/acquirer.ts'
import { simulator } from '../../src/index.ts'
import { deciding } from '../support/acquirers.ts'
import { desk, MONEY, refusal } from '../support/desk.ts'
import { CARD, type Fields } from '../support/signed-requests.ts'

const SENDER = { ...CARD, credit_card_number: '4444333322221111' }
const RECEIVER = '5555555555554444'

interface Tokens {
  readonly sender: string
  readonly receiver: string
}

/** A desk that shows which cards its acquirer was given. */
function transferDesk() {
  const inner = simulator()
  const seen: PaymentMethod[] = []
  const acquirer = deciding({
    tokenize: async (instrument) => {
      seen.push(instrument)
      return await inner.tokenize(instrument)
    },
  })
  const made = desk({ acquirer })
  /** Stores a card: its token and its reference. */
  const stored = async (pan = RECEIVER) => {
    const ids = await made.sale({ credit_card_number: pan })
    const reply = await made.askOAuth('/api/v4/create-card-ref', { login: 'shop', ...ids })
    return { token: reply['recurring-payment-id'] ?? '', reference: reply['card-ref-id'] ?? '' }
  }
  const transfer = (fields: Fields) =>
    made.askOAuth('/api/v4/transfer', { client_orderid: made.newId(), ...MONEY, ...fields })
  /** The card numbers of the last transfer: sender and receiver. */
  const between = () => [seen.at(-1)?.card?.pan.reveal(), seen.at(-1)?.destination?.pan?.reveal()]
  return { ...made, stored, transfer, between }
}

describe('a transfer', () => {
  test('[S1-11] [S4-56] [G3.4-05] goes from a card to a card', async () => {
    const { transfer, between, shown, told, store } = transferDesk()
    const { 'paynet-order-id': orderId = '' } = await transfer({ ...SENDER, 'destination-card-no': RECEIVER })
    expect(between()).toEqual(['4444333322221111', RECEIVER])
    const ids = { client_orderid: 'inv-1', orderid: orderId }
    expect(await shown(ids)).toEqual(['approved', 'transfer', 'transfer_approved', '34.00', '34.00'])
    expect(await told(ids)).toMatchObject({ 'last-four-digits': '1111', 'dest-last-four-digits': '4444' })
    expect(await store.postingsOf(orderId)).toMatchObject([
      { account: 'payer', amount: -3400n },
      { account: 'receiver', amount: 3400n },
    ])
  })

  const CARDS = { sender: '4444333322221111', receiver: RECEIVER }
  const BY_NUMBER = { 'destination-card-no': RECEIVER }
  const BY_TOKEN = (token: string) => ({ destination_card_recurring_payment_id: token })
  const DEPOSIT = { deposit2card: 'true' }

  /** The six documented kinds (gaps part 3.4), with their fields for two cards that have tokens. */
  const KINDS: ReadonlyArray<readonly [kind: string, fields: (tokens: Tokens) => Fields, from: 'card' | 'deposit']> = [
    ['card to card', () => ({ ...SENDER, ...BY_NUMBER }), 'card'],
    ['card to token', ({ receiver }) => ({ ...SENDER, ...BY_TOKEN(receiver) }), 'card'],
    ['token to card', ({ sender }) => ({ card_recurring_payment_id: sender, ...BY_NUMBER }), 'card'],
    ['token to token', (each) => ({ card_recurring_payment_id: each.sender, ...BY_TOKEN(each.receiver) }), 'card'],
    ['deposit to card', () => ({ ...DEPOSIT, ...BY_NUMBER }), 'deposit'],
    ['deposit to token', ({ receiver }) => ({ ...DEPOSIT, ...BY_TOKEN(receiver) }), 'deposit'],
  ]

  test.for(KINDS)('[S1-11] [G3.4-05] goes from %s', async ([, fieldsOf, from]) => {
    const { transfer, between, stored, told, store } = transferDesk()
    const tokens = { sender: (await stored(CARDS.sender)).token, receiver: (await stored(CARDS.receiver)).token }
    const reply = await transfer(fieldsOf(tokens))
    expect(between()).toEqual([from === 'card' ? CARDS.sender : undefined, CARDS.receiver])
    const { 'merchant-order-id': clientOrderId = '', 'paynet-order-id': orderId = '' } = reply
    expect(await told({ client_orderid: clientOrderId })).toMatchObject({
      status: 'approved',
      'transaction-type': 'transfer',
      'order-stage': 'transfer_approved',
      amount: '34.00',
      'dest-last-four-digits': '4444',
    })
    expect(await store.postingsOf(orderId)).toMatchObject([
      { account: from === 'card' ? 'payer' : 'merchant', amount: -3400n },
      { account: 'receiver', amount: 3400n },
    ])
  })

  test('[G3.4-05] from both a card and the deposit moves nothing: nobody can tell which of them is meant', async () => {
    const { transfer, between, stored, told } = transferDesk()
    const { reference } = await stored()
    const before = between()
    const asked = { client_orderid: 'tr-both', 'destination-card-ref-id': reference }
    expect(refusal(await transfer({ ...asked, ...SENDER, deposit2card: 'true' }))).toContain('1: depositToCard')
    expect((await told({ client_orderid: 'tr-both' }))['error-code']).toBe('2')
    expect(between()).toEqual(before)
    expect(await transfer({ ...asked, ...SENDER, deposit2card: 'false' })).toMatchObject({ http: '200' })
  })

  test('[S4-57] [G3.4-06] by reference goes from the deposit, with the login in the header alone', async () => {
    const { askOAuth, between, stored, told } = transferDesk()
    const { reference } = await stored()
    const fields = { 'client-order-id': 'tr-1', ...MONEY, order_desc: 'Savings', 'destination-card-ref-id': reference }
    expect(await askOAuth('/api/v4/transfer-by-ref', fields)).toMatchObject({ type: 'async-response' })
    expect(between()).toEqual([undefined, RECEIVER])
    expect(await told({ client_orderid: 'tr-1' })).toMatchObject({ status: 'approved', 'transaction-type': 'transfer' })
  })

  test('a token is no card reference, and a card reference no token', async () => {
    const { transfer, stored } = transferDesk()
    const { token, reference } = await stored()
    const wrong = [
      { card_recurring_payment_id: reference, 'destination-card-no': RECEIVER },
      { ...SENDER, 'destination-card-ref-id': token },
      { ...SENDER, destination_card_recurring_payment_id: reference },
    ]
    for (const fields of wrong) expect(await transfer(fields)).toMatchObject({ 'error-code': '8' })
  })
})
