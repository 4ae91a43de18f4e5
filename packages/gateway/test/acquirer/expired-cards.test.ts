import { Cvv, Pan } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { simulator } from '../../src/index.ts'
import { ORIGIN } from '../support/acquirers.ts'
import { desk, MONEY } from '../support/desk.ts'
import { recurringDesk } from '../support/recurring.ts'

const EXPIRED = { status: 'declined', 'error-code': '101', 'error-message': 'Expired card' }

describe('a card that has expired', () => {
  test.for(['123', '111', '321', '217', '116'])('[F-C20] is declined as such, whatever its CVV: %s', async (cvv2) => {
    const { sale, told } = desk()
    expect(await told(await sale({ expire_month: '12', expire_year: '2020', cvv2 }))).toMatchObject(EXPIRED)
  })

  test('[F-C20] is good until its month is over everywhere', async () => {
    const { sale, told, clock } = desk()
    const card = { expire_month: '1', expire_year: '2030' }
    await clock.advance(31 * 86_400_000 + 12 * 3_600_000 - 1)
    expect(await told(await sale(card))).toMatchObject({ status: 'approved' })
    await clock.advance(1)
    expect(await told(await sale(card))).toMatchObject(EXPIRED)
  })

  test('[F-C20] is declined at a rebill, a verification and a transfer too, but still receives money', async () => {
    const { sale, cardRef, ask, askOAuth, verification, told, clock } = desk()
    const card = { expire_month: '02', expire_year: '2030' }
    const cardrefid = await cardRef(await sale(card))
    await clock.advance('90d')
    await ask('/api/v2/make-rebill', { login: 'shop', client_orderid: 'r-1', cardrefid, ...MONEY })
    expect(await told({ client_orderid: 'r-1' })).toMatchObject(EXPIRED)
    expect(await told(await verification(card))).toMatchObject(EXPIRED)
    const payout = { client_orderid: 'out-1', ...MONEY, credit_card_number: '4444333322221111' }
    await askOAuth('/api/v2/payout', { ...payout, ...card, card_printed_name: 'JOHN SMITH' })
    expect(await told({ client_orderid: 'out-1' })).toMatchObject({ status: 'approved' })
  })

  test('[F-C20] is declined by the schedule once its month is over', async () => {
    const { profile, charges, clock } = recurringDesk()
    const id = await profile({ 'expire-month': '02', 'expire-year': '2030' })
    await clock.advance('100d')
    const ended = (await charges(id)).map(({ operations: [sale] }) => [sale?.status, sale?.outcome.errorCode])
    expect(ended).toEqual([
      ['approved', undefined],
      ['approved', undefined],
      ['approved', undefined],
      ['declined', '101'],
    ])
  })

  test('[F-C20] is known by the clock of the gateway, not by that of the machine', async () => {
    const card = { pan: new Pan('4444333322221111'), expireMonth: '12', expireYear: '2099', cvv: new Cvv('123') }
    const payment = { ...ORIGIN, card, kind: 'sale', amount: 1n, currency: 'EUR', decimals: 2 } as const
    const words = [Date.UTC(2099, 11, 31), Date.UTC(2100, 0, 2)].map(async (at) => {
      const token = await simulator().tokenize({ ...payment, at })
      return 'reference' in token && token.reference.replace(/-[a-p]+$/, '')
    })
    expect(await Promise.all(words)).toEqual(['simulated-approved', 'simulated-expired-card'])
  })
})
