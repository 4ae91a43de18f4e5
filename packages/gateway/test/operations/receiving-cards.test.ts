import { describe, expect, test } from 'vitest'
import { desk, MONEY, refusal } from '../support/desk.ts'
import { MONTHLY, recurringDesk } from '../support/recurring.ts'
import { CARD, PAYER } from '../support/signed-requests.ts'

const RECEIVER = '5555555555554444'
const NO_SUCH_CARD =
  '8: There is no stored card of this reference, it may only be paid to, or its finish date is past or it was stopped; send the card itself.'

/** A desk that has sent money to a card, with the references and tokens of that card from a payout, a transfer and a DST profile. */
async function paidOut() {
  const made = recurringDesk()
  const order = await made.payout({ credit_card_number: RECEIVER })
  const client_orderid = made.newId()
  const { 'paynet-order-id': orderid = '' } = await made.askOAuth('/api/v4/transfer', {
    client_orderid,
    ...MONEY,
    ...CARD,
    'destination-card-no': RECEIVER,
  })
  const ofPayout = await made.askOAuth('/api/v4/create-card-ref', { login: 'shop', ...order })
  const ofTransfer = await made.askOAuth('/api/v4/create-card-ref', { login: 'shop', client_orderid, orderid })
  const profile = await made.profile({ rp_card_type: 'DST', period: '', interval: '' })
  return {
    ...made,
    references: [ofPayout['card-ref-id'], ofPayout['dst-card-ref-id'], ofTransfer['dst-card-ref-id']].map(String),
    tokens: [ofPayout['recurring-payment-id'], ofTransfer['dst-recurring-payment-id'], profile].map(String),
  }
}

describe('a card that was only paid to', () => {
  test.for(['/api/v2/sale', '/api/v2/preauth'])(
    '[G13-15] [G3.4-02] is not charged by %s, by whichever reference',
    async (path) => {
      const { ask, newId, references, tokens, told } = await paidOut()
      const named = [...references.map((cardrefid) => ({ cardrefid })), ...tokens.map((id) => token(id))]
      expect(new Set(named.map((each) => JSON.stringify(each))).size).toBe(3)
      for (const card of named) {
        const client_orderid = newId()
        expect(refusal(await ask(path, { ...PAYER, ...MONEY, client_orderid, ...card }))).toBe(NO_SUCH_CARD)
        expect(refusal(await told({ client_orderid }))).toMatch(/^2: /)
      }
    },
  )

  test('[S4-39] is not charged by a rebill, and is neither verified nor asked whether it could send', async () => {
    const { ask, askOAuth, newId, references, tokens } = await paidOut()
    const [cardrefid = '', id = ''] = [references[0], tokens[2]]
    const replies = [
      await ask('/api/v2/make-rebill', { client_orderid: newId(), cardrefid, ...MONEY }),
      await ask('/api/v2/make-rebill-preauth', { client_orderid: newId(), cardrefid, ...MONEY }),
      await ask('/api/v2/account-verification', { ...PAYER, client_orderid: newId(), ...token(id) }),
      await askOAuth('/api/v2/pan-eligibility/send', { client_orderid: newId(), 'sending-card-ref-id': cardrefid }),
    ]
    expect(replies.map(refusal)).toEqual(replies.map(() => NO_SUCH_CARD))
  })

  test('[G3.4-05] sends no transfer', async () => {
    const { askOAuth, newId, tokens } = await paidOut()
    for (const id of tokens) {
      const fields = { client_orderid: newId(), ...MONEY, ...token(id), 'destination-card-no': '4444333322221111' }
      expect(refusal(await askOAuth('/api/v4/transfer', fields))).toBe(NO_SUCH_CARD)
    }
  })

  test('[S4-49] [G3.4-05] is paid to again by each of its references, and its card info is shown', async () => {
    const { ask, askOAuth, payout, newId, told, references, tokens } = await paidOut()
    const deposit = (fields: Record<string, string>) => {
      const client_orderid = newId()
      return askOAuth('/api/v4/transfer', { client_orderid, ...MONEY, deposit2card: 'true', ...fields })
    }
    for (const id of new Set(references)) {
      expect(await told(await payoutTo(payout, id))).toMatchObject({
        status: 'approved',
        'dest-last-four-digits': '4444',
      })
      expect(await deposit({ 'destination-card-ref-id': id })).toMatchObject({ http: '200' })
      expect(await ask('/api/v2/get-card-info', { cardrefid: id })).toMatchObject({ 'last-four-digits': '4444' })
    }
    for (const id of tokens) {
      expect(await deposit({ destination_card_recurring_payment_id: id })).toMatchObject({ http: '200' })
    }
  })

  test('has other references than as the card of a payer, which can be both charged and paid to', async () => {
    const { ask, sale, cardRef, payout, newId } = desk()
    const card = { credit_card_number: RECEIVER, card_printed_name: 'JANE', expire_month: '11', expire_year: '2031' }
    const receiving = await cardRef(await payout(card))
    const paying = await cardRef(await sale(card))
    expect(paying).not.toBe(receiving)
    expect(await cardRef(await payout(card))).toBe(receiving)
    const rebill = (cardrefid: string) => ask('/api/v2/make-rebill', { client_orderid: newId(), cardrefid, ...MONEY })
    expect(await rebill(paying)).toMatchObject({ http: '200' })
    expect(refusal(await rebill(receiving))).toBe(NO_SUCH_CARD)
    await payoutTo(payout, paying)
  })
})

test('[G3.4-02] the id of a profile that pays is charged, by a merchant whose other profile receives', async () => {
  const { ask, profile, newId, told } = recurringDesk()
  await profile({ rp_card_type: 'DST', period: '', interval: '' })
  const id = await profile({ ...MONTHLY, period: '', interval: '' })
  const client_orderid = newId()
  await ask('/api/v2/sale', { ...PAYER, ...MONEY, client_orderid, ...token(id) })
  expect(await told({ client_orderid })).toMatchObject({ status: 'approved', 'recurring-payment-id': id })
})

describe('[G3.2-15] a card that is paid in two steps', () => {
  const NOT_FINAL = '9: Refused by rule G3.2-15: the first payment is not finally approved.'
  const checked = async () => {
    const made = desk()
    const ids = await made.payoutCheck({ account_number: '', credit_card_number: RECEIVER })
    return { ...made, ids, create: () => made.ask('/api/v2/create-card-ref', ids) }
  }

  test('has no reference after its check alone, even when that has expired', async () => {
    const { create, clock } = await checked()
    expect(refusal(await create())).toBe(NOT_FINAL)
    await clock.advance('16m')
    expect(refusal(await create())).toBe(NOT_FINAL)
  })

  test('has one after it was paid to', async () => {
    const { create, askOAuth, ids, ask, newId } = await checked()
    await askOAuth('/api/v4/payout-pay', { login: 'shop', ...ids })
    const { 'card-ref-id': cardrefid = '' } = await create()
    expect(cardrefid).toMatch(/^[1-9]\d{14}$/)
    const rebill = await ask('/api/v2/make-rebill', { client_orderid: newId(), cardrefid, ...MONEY })
    expect(refusal(rebill)).toBe(NO_SUCH_CARD)
  })
})

function token(id: string) {
  return { card_recurring_payment_id: id }
}

function payoutTo(payout: ReturnType<typeof desk>['payout'], reference: string) {
  return payout({ 'destination-card-ref-id': reference })
}
