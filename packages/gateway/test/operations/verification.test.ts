import { describe, expect, test } from 'vitest'
import { listening } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'

describe('an account verification', () => {
  test('[S1-05] [S4-24] [S4-36] is an authorization of zero, which charges nothing', async () => {
    const { acquirer, executed } = listening()
    const { verification, told, store } = desk({ acquirer })
    const ids = await verification()
    expect(executed).toMatchObject([{ kind: 'account-verification', amount: 0n }])
    const reply = await told(ids)
    expect(reply).toMatchObject({
      status: 'approved',
      'transaction-type': 'account verification',
      'order-stage': 'account_verification_approved',
      bin: '444433',
    })
    for (const name of ['amount', 'initial-amount', 'currency']) expect(reply).not.toHaveProperty(name)
    expect(await store.postingsOf(ids.orderid)).toEqual([])
  })

  test('[S4-36] is declined like any payment', async () => {
    const { verification, told } = desk()
    expect(await told(await verification({ cvv2: '101' }))).toMatchObject({
      status: 'declined',
      'order-stage': 'account_verification_declined',
      'error-message': 'Expired card',
    })
  })

  test('[S1-07] gives a card reference, so that a card is stored without a charge', async () => {
    const { verification, cardRef } = desk()
    expect(await cardRef(await verification())).toMatch(/^[1-9]\d{14}$/)
  })

  test('has no amount in its callback, because there is none', async () => {
    const { verification, calls } = desk()
    await verification({ server_callback_url: 'https://shop.example.com/cb' })
    const query = Object.fromEntries(new URL(calls[0] ?? '').searchParams)
    expect(query).toMatchObject({ status: 'approved', type: 'account verification' })
    expect(query).not.toHaveProperty('amount')
    expect(query).not.toHaveProperty('currency')
  })
})

describe('pan eligibility', () => {
  test('[S4-55] [G13-08] is acknowledged, and its outcome reported by status', async () => {
    const { sale, cardRef, askOAuth, told } = desk()
    const reference = await cardRef(await sale())
    const reply = await askOAuth('/api/v2/pan-eligibility/send', {
      'client-order-id': 'pe-1',
      'sending-card-ref-id': reference,
    })
    expect(reply).toMatchObject({ type: 'async-response', 'merchant-order-id': 'pe-1' })
    expect(await told({ client_orderid: 'pe-1' })).toMatchObject({
      status: 'approved',
      'transaction-type': 'account verification',
      'last-four-digits': '1111',
    })
  })

  test('[G13-10] answers a repeat as the first request, and refuses other content', async () => {
    const { sale, cardRef, askOAuth } = desk()
    const fields = { 'client-order-id': 'pe-1', 'sending-card-ref-id': await cardRef(await sale()) }
    const first = await askOAuth('/api/v2/pan-eligibility/send', fields)
    expect(first).toMatchObject({ type: 'async-response' })
    expect(await askOAuth('/api/v2/pan-eligibility/send', fields)).toEqual(first)
    const card = { 'card-printed-name': 'J', 'expire-month': '12', 'expire-year': '2031' }
    const other = { 'client-order-id': 'pe-1', 'sending-card-number': '5555555555554444', ...card }
    expect(await askOAuth('/api/v2/pan-eligibility/send', other)).toMatchObject({ 'error-code': '3' })
  })

  test('[G12-06] [G13-08] takes the card itself too, in either spelling', async () => {
    const { askOAuth, told } = desk()
    const hyphens = { 'card-printed-name': 'J', 'expire-month': '12', 'expire-year': '2031' }
    const underscores = { card_printed_name: 'J', expire_month: '12', expire_year: '2031' }
    for (const [id, rest] of [
      ['pe-1', hyphens],
      ['pe-2', underscores],
    ] as const) {
      const name = id === 'pe-1' ? 'client-order-id' : 'client_orderid'
      const fields = { [name]: id, 'sending-card-number': '5555555555554444', ...rest }
      expect(await askOAuth('/api/v2/pan-eligibility/send', fields)).toMatchObject({ type: 'async-response' })
      expect(await told({ client_orderid: id })).toMatchObject({ status: 'approved', 'card-type': 'MASTERCARD' })
    }
  })
})
