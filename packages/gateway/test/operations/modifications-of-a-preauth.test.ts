import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { NO_CURRENCY } from '../../src/orders/amounts.ts'
import { deciding, listening, undecided } from '../support/acquirers.ts'
import { desk, refusal } from '../support/desk.ts'
import { FORMULAS } from '../support/formulas.ts'
import { control, form, post, RIVAL, SALE, SHOP } from '../support/signed-requests.ts'

const PART = { amount: '4.00', currency: 'EUR' }

/** The control over these terms, which are used as they are: no amount is converted. */
function over(...terms: string[]): string {
  return createHash('sha1')
    .update(terms.join('') + SHOP.controlKey)
    .digest('hex')
}

describe('an authorization', () => {
  test('[S1-04] [S3-01] [S4-19] [G13-20] holds until it is captured, and a partial capture takes from what is left', async () => {
    const { preauth, capture, shown } = desk()
    const ids = await preauth()
    expect(await shown(ids)).toEqual(['approved', 'preauth', 'auth_approved', '10.42', '10.42'])
    await capture(ids, PART)
    expect(await shown(ids)).toEqual(['approved', 'capture', 'capture_approved', '10.42', '10.42'])
    expect(refusal(await capture(ids, { amount: '6.43', currency: 'EUR' }))).toMatch(/^9: Refused by rule G5-07/)
    await capture(ids)
    expect(refusal(await capture(ids))).toMatch(/^9: Refused by rule S3-01/)
  })

  test('[S1-04] [S1-06] [S3-01] [S4-22] [G13-18] holds until it is voided, which releases it', async () => {
    const { preauth, void: cancel, shown } = desk()
    const ids = await preauth()
    await cancel(ids)
    expect(await shown(ids)).toEqual(['approved', 'cancel', 'cancel_approved', '0.00', '10.42'])
  })

  test('[S1-06] [S4-23] [G13-19] a return of it releases it, and after a capture gives back what was captured', async () => {
    const { preauth, capture, return: giveBack, shown } = desk()
    const ids = await preauth()
    await giveBack(ids)
    expect(await shown(ids)).toEqual(['approved', 'cancel', 'cancel_approved', '0.00', '10.42'])
    const captured = await preauth()
    await capture(captured, PART)
    await giveBack(captured, { amount: '1.00', currency: 'EUR' })
    expect(await shown(captured)).toEqual(['approved', 'reversal', 'reversal_approved', '9.42', '10.42'])
  })

  test('[G13-18] a void after a partial capture cancels only what is not captured', async () => {
    const { preauth, capture, void: cancel, shown } = desk()
    const ids = await preauth()
    await capture(ids, PART)
    await cancel(ids)
    expect(await shown(ids)).toEqual(['approved', 'cancel', 'cancel_approved', '4.00', '10.42'])
  })

  test('[G12-07] a void after a full capture reverses it before settlement', async () => {
    const { preauth, capture, void: cancel, shown } = desk()
    const ids = await preauth()
    await capture(ids)
    await cancel(ids)
    expect(await shown(ids)).toEqual(['approved', 'reversal', 'reversal_approved', '0.00', '10.42'])
  })

  test('[S3-03] [G3.2-06] the amount of a void is not signed, and must be the whole amount', async () => {
    const { preauth, send, request, shown } = desk()
    const ids = await preauth()
    const right = request('/api/v2/void', ids)
    const part = await send({ ...right, body: `${right.body}&amount=0.01&currency=EUR` })
    expect(refusal(part)).toBe(
      '9: Refused by rule S3-03: only the whole of what is left is possible: leave the amount out.',
    )
    expect(await shown(ids)).toEqual(['approved', 'preauth', 'auth_approved', '10.42', '10.42'])
    await send({ ...right, body: `${right.body}&amount=10.42&currency=EUR` })
    expect(await shown(ids)).toEqual(['approved', 'cancel', 'cancel_approved', '0.00', '10.42'])
  })
})

describe('two modifications at once', () => {
  test('on the same funds: the first goes on, the second is refused until the first has its outcome', async () => {
    const { execute, decide } = undecided()
    const inner = deciding({})
    const acquirer = deciding({
      execute: async (instruction) => (instruction.kind === 'capture' ? execute() : await inner.execute(instruction)),
    })
    const { gateway, preauth, request, capture, shown } = desk({ acquirer })
    const ids = await preauth()
    const replies = await Promise.all([1, 2].map(() => gateway.handle(request('/api/v2/capture', { ...ids, ...PART }))))
    expect(replies.map(({ status }) => status)).toEqual([200, 400])
    expect(replies[1]?.body).toContain('Refused by rule one-in-flight')
    expect(await gateway.handle(request('/api/v2/void', ids))).toMatchObject({
      status: 400,
      body: expect.stringContaining('one-in-flight'),
    })
    decide({ status: 'approved', approvalCode: '1', processorTxId: '2' })
    await gateway.settled()
    expect(await shown(ids)).toEqual(['approved', 'capture', 'capture_approved', '10.42', '10.42'])
    expect(await capture(ids, PART)).toMatchObject({ http: '200' })
  })
})

describe('money by ISO 4217', () => {
  test.for([
    ['JPY', ['1000', '1000'], ['700', '700'], ['20', '20'], '980'],
    ['KWD', ['10.425', '10425'], ['10.4', '10400'], ['0.005', '5'], '10.420'],
  ] as const)('[G13-06] in %s is held, captured and returned in the units of the currency', async (money) => {
    const [currency, [whole, wholeInMinor], [taken, takenInMinor], [back, backInMinor], left] = money
    const { acquirer, executed } = listening()
    const { send, shown } = desk({ acquirer, profile: { exponents: 'iso-4217' } })
    const held = { ...SALE, amount: whole, currency, control: over('1111', 'inv-1', wholeInMinor, SALE.email) }
    const { 'paynet-order-id': orderid = '' } = await send(post('/api/v2/preauth/1111', form(held)))
    const change = async (path: string, amount: string, inMinor: string) => {
      const signed = over('shop', 'inv-1', orderid, inMinor, currency)
      const fields = { login: 'shop', client_orderid: 'inv-1', orderid, amount, currency, control: signed }
      expect(await send(post(`/api/v2/${path}/1111`, form(fields)))).toMatchObject({ http: '200' })
    }
    await change('capture', taken, takenInMinor)
    await change('return', back, backInMinor)
    expect(executed.map(({ kind, amount }) => [kind, String(amount)])).toEqual([
      ['preauth', wholeInMinor],
      ['capture', takenInMinor],
      ['reversal', backInMinor],
    ])
    expect((await shown({ client_orderid: 'inv-1' })).slice(1)).toEqual([
      'reversal',
      'reversal_approved',
      left,
      currency === 'JPY' ? '1000' : whole,
    ])
  })
})

describe('the control of a capture', () => {
  const signed = (fields: Record<string, string>, formula: string, signedFields = fields) =>
    post('/api/v2/capture/1111', form({ ...fields, control: control(formula, signedFields) }))

  test('[G12-04] covers the amount and the currency that are sent', async () => {
    const { preauth, send, shown } = desk()
    const fields = { login: 'shop', ...(await preauth()), ...PART }
    expect(await send(signed(fields, FORMULAS.named))).toMatchObject({ http: '403' })
    expect(await send(signed(fields, FORMULAS.modified))).toMatchObject({ http: '200' })
    expect((await shown({ client_orderid: 'inv-1' }))[1]).toBe('capture')
  })

  test('[G12-04] covers neither if none is sent', async () => {
    const { preauth, send } = desk()
    const fields = { login: 'shop', ...(await preauth()) }
    expect(await send(signed(fields, FORMULAS.named))).toMatchObject({ http: '200' })
  })

  test('[G12-04] or covers those of the order if none is sent: the order is found by its ids', async () => {
    const { preauth, send, shown } = desk()
    const ids = await preauth()
    const fields = { login: 'shop', ...ids }
    const right = { ...fields, amount: '10.42', currency: 'EUR' }
    for (const wrong of [{ amount: '10.41' }, { currency: 'USD' }, { orderid: '123456789012345' }]) {
      expect(await send(signed(fields, FORMULAS.modified, { ...right, ...wrong }))).toMatchObject({ http: '403' })
    }
    expect(await send(signed({ ...fields, client_orderid: 'nobody' }, FORMULAS.modified, right))).toMatchObject({
      http: '403',
    })
    expect(await send(signed(fields, FORMULAS.modified, right))).toMatchObject({ http: '200' })
    expect(await shown(ids)).toEqual(['approved', 'capture', 'capture_approved', '10.42', '10.42'])
  })

  test.for([
    ['always-2', 'USD', '10.42', '1042'],
    ['always-2', 'JPY', '1000', '100000'],
    ['always-2', 'IDR', '10000000', '1000000000'],
    ['always-2', 'IDR', '10000000.5', '1000000050'],
    ['iso-4217', 'JPY', '1000', '1000'],
    ['iso-4217', 'JPY', '9999999990', '9999999990'],
    ['iso-4217', 'KWD', '10.425', '10425'],
    ['iso-4217', 'KWD', '100.05', '100050'],
    ['iso-4217', 'CLF', '99999.0001', '999990001'],
  ] as const)('[G12-04] [G13-06] with %s, those of an order in %s of %s are %s', async ([exponents, ...money]) => {
    const [currency, amount, minor] = money
    const { send, shown } = desk({ profile: { exponents } })
    const sha1 = (...terms: string[]) =>
      createHash('sha1')
        .update(terms.join('') + SHOP.controlKey)
        .digest('hex')
    const held = { ...SALE, amount, currency, control: sha1('1111', 'inv-1', minor, SALE.email) }
    const { 'paynet-order-id': orderid = '' } = await send(post('/api/v2/preauth/1111', form(held)))
    const named = { login: 'shop', client_orderid: 'inv-1', orderid }
    const captured = { ...named, control: over('shop', 'inv-1', orderid, minor, currency) }
    expect(await send(post('/api/v2/capture/1111', form(captured)))).toMatchObject({ http: '200' })
    expect((await shown({ client_orderid: 'inv-1' })).slice(0, 2)).toEqual(['approved', 'capture'])
  })

  test('[G12-04] those of the order cover no other amount that is sent, and stay the same after a partial capture', async () => {
    const { preauth, send, capture, shown } = desk()
    const ids = await preauth()
    const fields = { login: 'shop', ...ids }
    const right = { ...fields, amount: '10.42', currency: 'EUR' }
    expect(await send(signed({ ...fields, ...PART }, FORMULAS.modified, right))).toMatchObject({ http: '403' })
    await capture(ids, PART)
    expect(await send(signed(fields, FORMULAS.modified, right))).toMatchObject({ http: '200' })
    expect((await shown(ids))[3]).toBe('10.42')
  })

  test('[G12-04] an empty amount is none', async () => {
    const { preauth, send } = desk()
    const fields = { login: 'shop', ...(await preauth()), amount: '', currency: '' }
    const right = { ...fields, amount: '10.42', currency: 'EUR' }
    expect(await send(signed(fields, FORMULAS.modified, right))).toMatchObject({ http: '200' })
  })

  test('[G12-04] the third form does not exist for an order that moved no money', async () => {
    const { verification, send } = desk()
    const fields = { login: 'shop', ...(await verification()) }
    const right = { ...fields, amount: '0.00', currency: NO_CURRENCY }
    expect(await send(signed(fields, FORMULAS.modified, right))).toMatchObject({ http: '403' })
  })

  test('[G12-04] the third form does not work with the order of another merchant', async () => {
    const { preauth, send } = desk()
    const ids = await preauth()
    const fields = { login: 'rival', ...ids }
    const right = control(FORMULAS.modified, { ...fields, amount: '10.42', currency: 'EUR' }, RIVAL)
    expect(await send(post('/api/v2/capture/2222', form({ ...fields, control: right })))).toMatchObject({ http: '403' })
  })
})
