import { describe, expect, test } from 'vitest'
import { simulator } from '../../src/index.ts'
import { APPROVED, deciding, declined } from '../support/acquirers.ts'
import { MONTHLY, recurringDesk } from '../support/recurring.ts'

const PROCESS = '/api/v4/process-recurring-payment'
const UPDATE = '/api/v4/update-recurring-payment'
const GET = '/api/v4/get-recurring-payment'
const { period: _, interval: __, ...ON_REQUEST } = MONTHLY

const CARD = {
  'credit-card-number': '5555555555554444',
  'card-printed-name': 'JOHN SMITH',
  'expire-month': '11',
  'expire-year': '2035',
}

/** A desk at which recurring payments are charged on request, changed and read. */
function changingDesk(options: Parameters<typeof recurringDesk>[0] = {}) {
  const made = recurringDesk(options)
  const ask = (path: string, fields: Readonly<Record<string, string>>) => made.askOAuth(path, fields)
  return {
    ...made,
    process: (id: string, own: string, fields = {}) =>
      ask(PROCESS, { 'client-orderid': own, 'recurring-payment-id': id, ...fields }),
    update: (id: string, own: string, fields = {}) =>
      ask(UPDATE, { 'client-orderid': own, 'recurring-payment-id': id, ...fields }),
    read: (id: string) => ask(GET, { 'recurring-payment-id': id }),
    rows: (verb: string, payload: string) => ask(`/api/v4/${verb}-recurring-payments`, { payload }),
    amounts: async (ids: readonly string[]) =>
      await Promise.all(ids.map(async (client_orderid) => (await made.told({ client_orderid }))['initial-amount'])),
  }
}

const without = { amount: '' }

describe('a charge on request', () => {
  test('[G14-04] takes the fixed amount, or the next of the sequence, and the last again and again', async () => {
    const { profile, process, gateway, amounts } = changingDesk()
    const fixed = await profile({ ...MONTHLY, ...ON_REQUEST, period: '', interval: '' })
    const sequence = await profile({
      ...ON_REQUEST,
      ...without,
      'amount-sequence': '1.00,2.00,7.00',
      period: '',
      interval: '',
    })
    await process(fixed, 'f1')
    for (const own of ['s1', 's2', 's3', 's4']) await process(sequence, own)
    await gateway.settled()
    expect(await amounts(['f1', 's1', 's2', 's3', 's4'])).toEqual(['9.99', '1.00', '2.00', '7.00', '7.00'])
  })

  test('[G14-04] of a sequence takes each amount once, also if many come at once', async () => {
    const { profile, process, gateway, amounts } = changingDesk()
    const id = await profile({ ...without, 'amount-sequence': '1.00,2.00,3.00,4.00', period: '', interval: '' })
    const ids = ['a', 'b', 'c', 'd']
    await Promise.all(ids.map((own) => process(id, own)))
    await gateway.settled()
    expect(new Set(await amounts(ids))).toEqual(new Set(['1.00', '2.00', '3.00', '4.00']))
  })

  test('[G14-04] from a range lies within it', async () => {
    const { profile, process, gateway, amounts } = changingDesk()
    const id = await profile({ ...without, 'amount-from': '3.00', 'amount-to': '3.02', period: '', interval: '' })
    const ids = Array.from({ length: 12 }, (_each, at) => `r${at}`)
    for (const own of ids) await process(id, own)
    await gateway.settled()
    expect(['3.00', '3.01', '3.02']).toEqual(expect.arrayContaining(await amounts(ids)))
  })

  test('[G14-03] [G14-04] is an order of its own, with the first answer for a repeat and 3 for other content', async () => {
    const { profile, process, told, gateway, store } = changingDesk()
    const id = await profile({ order_desc: 'Roses', email: 'john@example.com', period: '', interval: '' })
    const first = await process(id, 'mine', { amount: '2.50', 'first-name': 'Jane' })
    expect(first).toMatchObject({
      type: 'process-recurring-payment-response',
      status: 'processing',
      'merchant-order-id': 'mine',
    })
    await gateway.settled()
    expect(await process(id, 'mine', { amount: '2.50', 'first-name': 'Jane' })).toEqual(first)
    expect(await process(id, 'mine', { amount: '2.51' })).toMatchObject({ type: 'validation-error', 'error-code': '3' })
    const shown = { status: 'approved', 'recurring-payment-id': id, 'first-name': 'Jane', email: 'john@example.com' }
    expect(await told({ client_orderid: 'mine' })).toMatchObject({ ...shown, amount: '2.50' })
    expect(await store.recentOrders('shop', 9)).toHaveLength(1)
  })

  test('[G14-04] does not touch the charges of the schedule', async () => {
    const { profile, process, days, clock } = changingDesk()
    const id = await profile()
    await process(id, 'between')
    await clock.advance('31d')
    expect(await days(id)).toEqual(['2030-01-01', '2030-02-01'])
  })

  test('[G14-04] has its outcome by status, also a declined one', async () => {
    const { profile, process, told, gateway } = changingDesk({
      acquirer: deciding({ execute: async () => declined() }),
    })
    const id = await profile({ period: '', interval: '' })
    await process(id, 'mine')
    await gateway.settled()
    expect(await told({ client_orderid: 'mine' })).toMatchObject({ status: 'declined', 'initial-amount': '9.99' })
  })

  test('of a receiving card pays out to it', async () => {
    const { profile, process, told, gateway } = changingDesk()
    const id = await profile({ rp_card_type: 'DST', period: '', interval: '' })
    await process(id, 'mine')
    await gateway.settled()
    expect(await told({ client_orderid: 'mine' })).toMatchObject({ status: 'approved', 'transaction-type': 'payout' })
  })
})

describe('an update', () => {
  test('[G14-05] [G14-06] changes the card and the amount of later charges, and its token stands for the new card', async () => {
    const { profile, update, told, clock, process, gateway } = changingDesk()
    const id = await profile()
    const { type, status } = await update(id, 'u1', { ...CARD, amount: '12.00' })
    expect([type, status]).toEqual(['update-recurring-payment-response', 'approved'])
    await clock.advance('31d')
    const before = { 'initial-amount': '9.99', 'last-four-digits': '1111' }
    const after = { 'initial-amount': '12.00', 'last-four-digits': '4444' }
    expect(await told({ client_orderid: `${id}-1` })).toMatchObject(before)
    expect(await told({ client_orderid: `${id}-2` })).toMatchObject(after)
    await process(id, 'now')
    await gateway.settled()
    expect(await told({ client_orderid: 'now' })).toMatchObject(after)
  })

  test('[G14-06] that is repeated after another one changes nothing', async () => {
    const { profile, update, read } = changingDesk()
    const id = await profile()
    const first = await update(id, 'u1', { amount: '1.00' })
    await update(id, 'u2', { amount: '2.00' })
    expect(await update(id, 'u1', { amount: '1.00' })).toEqual(first)
    expect((await read(id))['amount']).toBe('2.00')
    expect(await update(id, 'u1', { amount: '3.00' })).toMatchObject({ 'error-code': '3' })
  })

  test('[G14-06] under the client order id of the creation is carried out each time', async () => {
    const { create, update, read } = changingDesk()
    const { 'recurring-payment-id': id = '' } = await create({ ...MONTHLY, 'client-orderid': 'mine' })
    for (const amount of ['1.00', '2.00', '1.00']) {
      await update(id, 'mine', { amount })
      expect((await read(id))['amount']).toBe(amount)
    }
  })

  test('[G14-07] of the period charges from its day on, no day twice, and its numbers go on', async () => {
    const { profile, update, days, charges, clock } = changingDesk()
    const id = await profile()
    await clock.advance('12h')
    await update(id, 'u1', { period: 'week', interval: '1', 'start-date': '2030-01-01' })
    await clock.advance('15d')
    expect(await days(id)).toEqual(['2030-01-01', '2030-01-08', '2030-01-15'])
    expect((await charges(id)).map(({ clientOrderId }) => clientOrderId)).toEqual([`${id}-1`, `${id}-2`, `${id}-3`])
  })

  test('[G14-07] gives a schedule to a recurring payment that had none', async () => {
    const { profile, update, days, clock } = changingDesk()
    const id = await profile({ period: '', interval: '' })
    await update(id, 'u1', { period: 'day', interval: '2', 'start-date': '2030-01-03', 'finish-date': '2030-01-06' })
    await clock.advance('30d')
    expect(await days(id)).toEqual(['2030-01-03', '2030-01-05'])
  })

  test('[G14-07] with a finish date before today ends it, and one with a later date lets it go on', async () => {
    const { profile, update, read, days, process, clock, store } = changingDesk()
    const id = await profile({ period: 'week' })
    await clock.advance('3d')
    await update(id, 'u1', { 'finish-date': '2030-01-02' })
    expect(await store.nextDueAt()).toBeUndefined()
    expect((await read(id))['recurring-payment-state']).toBe('finished')
    expect(await process(id, 'late')).toMatchObject({ 'error-code': '8' })
    await clock.advance('20d')
    await update(id, 'u2', { 'finish-date': '2030-02-06' })
    await clock.advance('40d')
    expect(await days(id)).toEqual(['2030-01-01', '2030-01-29', '2030-02-05'])
  })

  test('[G14-05] [G14-06] of the amounts begins a sequence at its first, on a schedule and on request', async () => {
    const { profile, update, process, charges, clock, amounts } = changingDesk()
    const id = await profile({ ...without, 'amount-sequence': '1.00,2.00,3.00', period: 'day' })
    await process(id, 'a')
    await clock.advance('1d')
    await update(id, 'u1', { 'amount-sequence': '5.00,6.00' })
    await process(id, 'b')
    await clock.advance('2d')
    expect((await charges(id)).map(({ operations }) => operations[0]?.amount)).toEqual([100n, 200n, 500n, 600n])
    expect(await amounts(['a', 'b'])).toEqual(['1.00', '5.00'])
  })

  test('[G14-12] stops a recurring payment, also its token, until it is active again', async () => {
    const { profile, update, read, days, ask, clock } = changingDesk()
    const id = await profile({ period: 'day' })
    await update(id, 'u1', { 'recurring-payment-state': 'stopped' })
    expect(await read(id)).toMatchObject({ 'recurring-payment-state': 'stopped' })
    expect(await read(id)).not.toHaveProperty('coming-charges')
    await clock.advance('5d')
    const transfer = { client_orderid: 't', amount: '1.00', currency: 'EUR', email: 'a@example.com' }
    expect(await ask('/api/v2/preauth', { ...transfer, card_recurring_payment_id: id })).not.toMatchObject({
      type: 'async-response',
    })
    await update(id, 'u2', { 'recurring-payment-state': 'active' })
    await clock.advance('1d')
    expect(await days(id)).toEqual(['2030-01-01', '2030-01-06', '2030-01-07'])
  })

  test('[G14-06] that comes while a charge is being made is not undone by it', async () => {
    const gate = Promise.withResolvers<void>()
    let waits = false
    const acquirer = simulator()
    const tokenize: typeof acquirer.tokenize = async (...given) => {
      if (waits) await gate.promise
      return await acquirer.tokenize(...given)
    }
    const { profile, update, days, read, clock, store } = changingDesk({ acquirer: { ...acquirer, tokenize } })
    const id = await profile({ period: 'day' })
    waits = true
    const passing = clock.advance('1d')
    const updating = update(id, 'u1', { 'recurring-payment-state': 'stopped' })
    while ((await store.recurringPaymentById(id))?.isStopped !== true) await new Promise(setImmediate)
    waits = false
    gate.resolve()
    await Promise.all([passing, updating])
    await clock.advance('3d')
    expect(await days(id)).toEqual(['2030-01-01'])
    expect(await read(id)).toMatchObject({ 'recurring-payment-state': 'stopped' })
  })

  test('[G14-06] [G14-07] that comes while a charge fails to begin is not undone by it, and its charges are made', async () => {
    const gate = Promise.withResolvers<void>()
    let waits = false
    const acquirer = simulator()
    const tokenize: typeof acquirer.tokenize = async (...given) => {
      if (waits) {
        asked.resolve()
        await gate.promise
        throw new Error('The bank is away')
      }
      return await acquirer.tokenize(...given)
    }
    const asked = Promise.withResolvers<void>()
    const onError = () => {}
    const { profile, update, days, clock, store } = changingDesk({ acquirer: { ...acquirer, tokenize }, onError })
    const id = await profile({ period: 'day' })
    waits = true
    const passing = clock.advance('1d')
    await asked.promise
    const updating = update(id, 'u1', { 'start-date': '2030-01-10' })
    while ((await store.recurringPaymentById(id))?.nextCharge?.date !== '2030-01-10') await new Promise(setImmediate)
    waits = false
    gate.resolve()
    await Promise.all([passing, updating])
    await clock.advance('10d')
    expect(await days(id)).toEqual(['2030-01-01', '2030-01-10', '2030-01-11', '2030-01-12'])
  })
})

describe('reading a recurring payment', () => {
  test('[G14-12] shows its amount, schedule, card and coming charges, by its id or the one of its creation', async () => {
    const { create, askOAuth, read, gateway } = changingDesk()
    const made = await create({ ...MONTHLY, 'client-orderid': 'mine', 'finish-date': '2030-04-15' })
    await gateway.settled()
    const shown = await read(made['recurring-payment-id'] ?? '')
    expect(shown).toMatchObject({
      'recurring-payment-id': made['recurring-payment-id'],
      'merchant-order-id': 'mine',
      'recurring-payment-state': 'active',
      currency: 'EUR',
      amount: '9.99',
      period: 'month',
      interval: '1',
      'start-date': '2030-01-01',
      'finish-date': '2030-04-15',
      'last-four-digits': '1111',
      'coming-charges': '2030-02-01,2030-03-01,2030-04-01',
    })
    const { 'serial-number': _serial, ...rest } = shown
    expect(await askOAuth(GET, { 'client-orderid': 'mine' })).toMatchObject(rest)
  })

  test('[G14-12] is refused by a gateway whose profile has no extensions', async () => {
    const { profile, read } = changingDesk({ profile: { recurringExtensions: false } })
    expect(await read(await profile())).toMatchObject({ type: 'validation-error', 'error-code': '1' })
  })
})

describe('rows', () => {
  test('[G14-08] [G14-09] [G14-10] are charged each by itself: a refusal is in the result of its row', async () => {
    const { profile, rows, gateway, told, store } = changingDesk()
    const id = await profile({ period: '', interval: '' })
    const payload = `amount,recurring-payment-id,client-orderid\n1.00,${id},r1\n2.00,1234,r2\n,${id},r3\n`
    const reply = await rows('process', payload)
    await gateway.settled()
    expect(reply).toMatchObject({ type: 'process-recurring-payment-response', status: 'processing' })
    const [header, one, two, three] = reply['payload']?.split('\r\n') ?? []
    expect(header).toBe('client-orderid,recurring-payment-id,paynet-order-id,status,error-code,error-message')
    expect(one).toMatch(new RegExp(`^r1,${id},[1-9]\\d{14},processing,,$`))
    expect(two).toMatch(/^r2,1234,,error,8,"?recurringPaymentId/)
    expect(three).toMatch(new RegExp(`^r3,${id},[1-9]\\d{14},processing,,$`))
    expect((await told({ client_orderid: 'r3' }))['initial-amount']).toBe('9.99')
    expect(await rows('process', payload)).toMatchObject({ payload: reply['payload'] })
    expect(await store.recentOrders('shop', 9)).toHaveLength(2)
  })

  test('[G14-09] are the requests that they stand for: one that was sent alone is not carried out again', async () => {
    const { profile, rows, process, store } = changingDesk()
    const id = await profile({ period: '', interval: '' })
    const alone = await process(id, 'r1', { amount: '1.00' })
    const reply = await rows('process', `client-orderid,recurring-payment-id,amount\nr1,${id},1.00\nr1,${id},1.00\n`)
    const line = `r1,${id},${alone['paynet-order-id']},processing,,`
    expect(reply['payload']?.split('\r\n').slice(1, 3)).toEqual([line, line])
    expect(await store.recentOrders('shop', 9)).toHaveLength(1)
  })

  test('[G14-09] of which one has a wrong field do nothing', async () => {
    const { profile, rows, store } = changingDesk()
    const id = await profile({ period: '', interval: '' })
    const payload = `client-orderid,recurring-payment-id,amount\nr1,${id},1.00\nr2,${id},1.0.0\n`
    const refused = await rows('process', payload)
    expect(refused).toMatchObject({ type: 'validation-error', 'error-code': '1' })
    expect(refused['error-message']).toMatch(/^Line 3: amount \(amount\)/)
    expect(await store.recentOrders('shop', 9)).toEqual([])
  })

  test('[G14-09] that are sent again go on where they were, however slow the bank is, and make nothing twice', async () => {
    const asked: string[] = []
    let isSlow = false
    const acquirer = deciding({
      tokenize: async ({ clientOrderId }) => {
        asked.push(clientOrderId)
        if (isSlow) throw new Error('No answer in time')
        return { reference: clientOrderId, authenticates: false }
      },
      execute: async () => {
        isSlow = true
        return APPROVED
      },
    })
    const { profile, rows, store } = changingDesk({ acquirer })
    const id = await profile({ period: '', interval: '' })
    const payload = `client-orderid,recurring-payment-id,amount\n${['r1', 'r2', 'r3'].map((own) => `${own},${id},1.00\n`).join('')}`
    const statuses: unknown[] = []
    for (let repeat = 0; repeat < 5; repeat++) {
      statuses.push((await rows('process', payload))['http'])
      isSlow = false
    }
    expect(asked).toEqual(['r1', 'r2', 'r2', 'r3', 'r3'])
    expect((await store.recentOrders('shop', 9)).map(({ clientOrderId }) => clientOrderId).sort()).toEqual([
      'r1',
      'r2',
      'r3',
    ])
    expect(statuses).toEqual(['500', '500', '200', '200', '200'])
  })

  test('[G14-09] of which one has a card that was tried too often carry out the others', async () => {
    const acquirer = { ...deciding({ execute: async () => declined() }), isSimulated: false }
    const { rows, process, profile, store, gateway } = changingDesk({ acquirer, maxTriesPerCard: 2 })
    const id = await profile({ period: '', interval: '' })
    const other = await profile({ ...CARD, period: '', interval: '' })
    for (const own of ['t1', 't2']) await process(id, own)
    const lines = [`r1,${other},1.00`, `r2,${id},1.00`, `r3,${other},1.00`]
    const reply = await rows('process', `client-orderid,recurring-payment-id,amount\n${lines.join('\n')}\n`)
    const results = reply['payload']
      ?.split('\r\n')
      .slice(1, 4)
      .map((line) => line.split(',').slice(3, 5))
    expect([reply['http'], results]).toEqual([
      '200',
      [
        ['processing', ''],
        ['error', '13'],
        ['processing', ''],
      ],
    ])
    await gateway.settled()
    expect(await store.recentOrders('shop', 9)).toHaveLength(4)
  })

  test('[G14-08] that only store a card count no try of it, however many there are', async () => {
    const acquirer = { ...deciding({ execute: async () => declined() }), isSimulated: false }
    const { rows } = changingDesk({ acquirer, maxTriesPerCard: 2 })
    const columns =
      'client-orderid,rp_card_type,credit-card-number,card-printed-name,expire-year,expire-month,currency,amount'
    const lines = ['1', '2', '3', '4'].map((own) => `c${own},SRC,4444333322221111,SMITH,2031,12,EUR,3.00`)
    const { payload = '' } = await rows('create', `${columns}\n${lines.join('\n')}\n`)
    expect(
      payload
        .split('\r\n')
        .slice(1, 5)
        .map((line) => line.split(',')[3]),
    ).toEqual(Array(4).fill('approved'))
  })

  test('[G14-08] [G14-09] create and update recurring payments', async () => {
    const { rows, read } = changingDesk()
    const columns =
      'client-orderid,rp_card_type,credit-card-number,card-printed-name,expire-year,expire-month,currency,amount'
    const made = await rows('create', `${columns}\nc1,SRC,4444333322221111,"SMITH, JOHN",2031,12,EUR,3.00\n`)
    const id = made['payload']?.split('\r\n')[1]?.split(',')[1] ?? ''
    expect(await read(id)).toMatchObject({ 'merchant-order-id': 'c1', amount: '3.00', 'last-four-digits': '1111' })
    await rows('update', `client-orderid,recurring-payment-id,amount\nu1,${id},4.00\n`)
    expect(await read(id)).toMatchObject({ amount: '4.00' })
  })

  test('[G14-09] are refused as a whole with a wrong signature, and leave no card number in the reply', async () => {
    const { rows } = changingDesk()
    const refused = await rows('create', 'client-orderid,credit-card-number\nc1,4444333322221112\n')
    expect(JSON.stringify(refused)).not.toContain('4444333322221112')
    expect(refused['error-message']).toContain('cardNumber (credit-card-number)')
  })
})
