import { describe, expect, test } from 'vitest'
import type { PaymentMethod } from '../../src/acquirer/acquirer.ts'
import { simulator } from '../../src/index.ts'
import { counter, TYPED } from '../pages/browser.ts'
import { deciding } from '../support/acquirers.ts'
import { MONEY } from '../support/desk.ts'
import { recurringDesk } from '../support/recurring.ts'
import { CARD, type Fields, PAYER } from '../support/signed-requests.ts'

/** The simulator, with the instruments that it was given. */
function attentive() {
  const { tokenize } = simulator()
  const seen: PaymentMethod[] = []
  const acquirer = deciding({
    tokenize: async (instrument) => {
      seen.push(instrument)
      return await tokenize(instrument)
    },
  })
  return { acquirer, last: () => seen.at(-1) }
}

const WHOLE = { cardholderName: 'JOHN SMITH', expireMonth: '12', expireYear: '2031' }
const { cvv2: _, ...PLASTIC } = CARD

describe('the acquirer is handed the name on a card and its expiry', () => {
  test('[G3.1-06] of a card that pays, whether it is sent, or stored and named by its reference, its token or its schedule', async () => {
    const { acquirer, last } = attentive()
    const { sale, cardRef, ask, profile, newId } = recurringDesk({ acquirer })
    const cardrefid = await cardRef(await sale())
    expect(last()?.card).toMatchObject(WHOLE)
    await ask('/api/v2/make-rebill', { client_orderid: newId(), cardrefid, ...MONEY })
    expect(last()?.card).toMatchObject(WHOLE)
    const card_recurring_payment_id = await profile()
    expect(last()?.card).toMatchObject(WHOLE)
    await ask('/api/v2/sale', { ...PAYER, ...MONEY, client_orderid: newId(), card_recurring_payment_id, cvv2: '123' })
    expect(last()?.card).toMatchObject(WHOLE)
  })

  test('of a card that was typed into a form', async () => {
    const { acquirer, last } = attentive()
    const { openForm, submit } = counter({ acquirer })
    const { address } = await openForm()
    await submit(address, TYPED)
    expect(last()?.card).toMatchObject(WHOLE)
  })

  test('[G3.2-12] of a card that receives, whether it is sent, or stored and named by its reference, its token or its schedule', async () => {
    const { acquirer, last } = attentive()
    const { payout, payoutCheck, cardRef, askOAuth, profile, newId } = recurringDesk({ acquirer })
    const reference = await cardRef(await payout(PLASTIC))
    expect(last()?.destination).toMatchObject(WHOLE)
    expect(last()?.destination).not.toHaveProperty('cvv')
    await payoutCheck({ ...PLASTIC, account_number: '' })
    expect(last()?.destination).toMatchObject(WHOLE)
    await payout({ 'destination-card-ref-id': reference })
    expect(last()?.destination).toMatchObject(WHOLE)
    const id = await profile({ rp_card_type: 'DST' })
    expect(last()?.destination).toMatchObject(WHOLE)
    const transfer = (fields: Fields) =>
      askOAuth('/api/v4/transfer', { client_orderid: newId(), ...MONEY, deposit2card: 'true', ...fields })
    for (const to of [{ 'destination-card-ref-id': reference }, { destination_card_recurring_payment_id: id }]) {
      await transfer({ 'destination-card-no': '4444333322221111' })
      expect(last()?.destination?.expireYear).toBeUndefined()
      await transfer(to)
      expect(last()?.destination).toMatchObject(WHOLE)
    }
  })
})
