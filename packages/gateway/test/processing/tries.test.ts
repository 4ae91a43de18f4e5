import { describe, expect, test } from 'vitest'
import type { GatewayRequest, LimitEvent } from '../../src/index.ts'
import { TYPED } from '../pages/browser.ts'
import { deciding } from '../support/acquirers.ts'
import { FORMULAS } from '../support/formulas.ts'
import { controlled, fieldsOf, form, PAYER, RIVAL, SALE, SHOP, sale, status } from '../support/signed-requests.ts'
import { committing } from '../support/stores.ts'
import { type TestGatewayOptions, testGateway } from '../support/test-gateway.ts'

/** A gateway with a bank of its own that approves one CVV, and what it was asked. */
function bank(options: TestGatewayOptions = {}) {
  const reached: LimitEvent[] = []
  const asked: string[] = []
  const acquirer = {
    ...deciding({
      tokenize: async ({ card }) => {
        asked.push(card?.cvv?.reveal() ?? '')
        return { reference: card?.cvv?.reveal() ?? '', authenticates: false }
      },
      execute: async ({ token }) =>
        token === '777'
          ? { status: 'approved', approvalCode: '1', processorTxId: '2' }
          : { status: 'declined', errorCode: '100', errorMessage: 'No' },
    }),
    isSimulated: false,
  }
  const made = testGateway({ acquirer, onLimit: (each) => reached.push(each), ...options })
  let orders = 0
  const pay = async (cvv2: string, signer = SHOP, changes = {}) => {
    const reply = await made.gateway.handle(sale({ client_orderid: `inv-${++orders}`, cvv2, ...changes }, signer))
    await made.gateway.settled()
    return reply
  }
  /** Sends the hosted form of a new order from this address, with a card that was not tried before. */
  const type = async (cvv2: string, from: Partial<GatewayRequest>, { card = newCard(), signer = SHOP } = {}) => {
    const fields = {
      ...PAYER,
      client_orderid: `form-${++orders}`,
      amount: '10.42',
      currency: 'EUR',
      redirect_url: RETURN,
    }
    const opened = fieldsOf(await made.gateway.handle(controlled('/api/v2/sale-form', FORMULAS.paid, fields, signer)))
    const url = new URL(opened['redirect-url'] ?? '').pathname
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...from.headers }
    const body = form({ ...TYPED, credit_card_number: card, cvv2 })
    const reply = await made.gateway.handle({ method: 'POST', url, body, ...from, headers })
    await made.gateway.settled()
    return reply
  }
  return { ...made, pay, type, asked, reached }
}

const RETURN = 'https://shop.example.com/return'

let cards = 0

/** A card of Visa's with the check digit of ISO/IEC 7812-1 annex B. */
function newCard(): string {
  const digits = `4${String(++cards).padStart(14, '0')}`
  const sum = [...digits].reduce((sum, digit, at) => {
    const weighted = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return sum + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

test('[F-B13] a card is tried ten times in an hour at most, whatever its CVV and expiry, and that of another merchant as before', async () => {
  const { pay, asked, reached, clock } = bank()
  const statuses: number[] = []
  for (let at = 0; at < 1000; at++) {
    const reply = await pay(String(at).padStart(3, '0'), SHOP, { expire_month: String((at % 12) + 1) })
    statuses.push(reply.status)
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(asked).toHaveLength(10)
  const refused = await pay('777')
  expect([refused.status, refused.headers['retry-after'], fieldsOf(refused)]).toMatchObject([
    429,
    '3600',
    {
      type: 'validation-error',
      'error-code': '13',
      'error-message':
        'This card was tried too often without being approved; nothing was created. Try another card, or later.',
    },
  ])
  expect(reached[0]).toEqual({ limit: 'tries-per-card', login: SHOP.login })
  expect((await pay('777', RIVAL)).status).toBe(200)
  expect((await pay('777', SHOP, { credit_card_number: '5555555555554444' })).status).toBe(200)
  await clock.advance('1h')
  expect((await pay('777')).status).toBe(200)
})

test('a card that is approved is used as often as its holder likes', async () => {
  const { pay } = bank()
  for (let at = 0; at < 30; at++) expect((await pay('777')).status).toBe(200)
})

test('a request that is repeated tries its card once, and gives no other try back', async () => {
  const { pay, asked } = bank()
  for (let at = 0; at < 30; at++) expect((await pay('777', SHOP, { client_orderid: 'again' })).status).toBe(200)
  expect(asked).toHaveLength(30)
  for (let at = 0; at < 10; at++) await pay('116', SHOP, { client_orderid: `vain-${at}` })
  for (let at = 0; at < 30; at++) await pay('777', SHOP, { client_orderid: 'again' })
  expect((await pay('777')).status).toBe(429)
})

test('a request that is refused for its card while the same is under way does not say that nothing was created', async () => {
  const taken = Promise.withResolvers<void>()
  const acquirer = {
    ...deciding({
      tokenize: async () => {
        await taken.promise
        return { reference: '1', authenticates: false }
      },
    }),
    isSimulated: false,
  }
  const { gateway, store } = testGateway({ acquirer, maxTriesPerCard: 1 })
  const send = async (id: string) => fieldsOf(await gateway.handle(sale({ client_orderid: id })))
  const first = send('inv-1')
  await Promise.resolve()
  expect(await send('inv-1')).toMatchObject({ type: 'error', 'error-code': '6' })
  expect(await send('inv-2')).toMatchObject({ type: 'validation-error', 'error-code': '13' })
  taken.resolve()
  expect(await first).toMatchObject({ type: 'async-response' })
  expect(await send('inv-1')).toMatchObject({ type: 'async-response' })
  expect(await store.findOrder({ login: SHOP.login, clientOrderId: 'inv-1' })).toBeDefined()
})

test('[F-D4] a request that the bank refuses as a double while the first is under way does not say that nothing was created', async () => {
  const taken = Promise.withResolvers<void>()
  let asked = 0
  const acquirer = deciding({
    tokenize: async () => {
      if (++asked > 1) return { refused: 'The same came a moment ago' }
      await taken.promise
      return { reference: '1', authenticates: false }
    },
  })
  const { gateway } = testGateway({ acquirer })
  const send = async (id: string) => fieldsOf(await gateway.handle(sale({ client_orderid: id })))
  const first = send('inv 1')
  await Promise.resolve()
  expect(await send('inv 1')).toMatchObject({ type: 'error', 'error-code': '6' })
  // The second is how the first begins.
  for (const id of ['inv-2', 'inv']) {
    const refused = send(id)
    await gateway.handle(status({ client_orderid: id }))
    expect(await refused).toMatchObject({ type: 'validation-error', 'error-code': '14' })
  }
  taken.resolve()
  expect(await first).toMatchObject({ type: 'async-response' })
  expect(await send('inv 1')).toMatchObject({ type: 'async-response' })
})

test('in a sandbox, and with the simulator, a card is tried as often as a test likes', async () => {
  for (const options of [{ sandbox: true }, {}]) {
    const { gateway } = testGateway(options)
    for (let at = 0; at < 30; at++) {
      expect((await gateway.handle(sale({ client_orderid: `inv-${at}`, cvv2: '116' }))).status).toBe(200)
    }
    await gateway.settled()
  }
})

test('[F-B13] the tries on hosted forms count as well, and the customer is told in their language', async () => {
  const { pay, type } = bank()
  for (let at = 0; at < 10; at++) await pay('116')
  const sent = (language: string) =>
    type('777', { headers: { 'accept-language': language } }, { card: SALE.credit_card_number })
  const [english, german] = [await sent('en'), await sent('de')]
  expect([english.status, english.headers['retry-after'], english.body]).toEqual([
    429,
    '3600',
    expect.stringContaining('This card was tried too often'),
  ])
  expect(german.body).toContain('Diese Karte wurde zu oft versucht')
})

test('a form that is sent again because its order changed meanwhile is one try', async () => {
  let others = 1
  const store = committing(async (change, commit) => {
    if (change.order?.order.operations[0]?.status !== 'sent' || others-- <= 0) return await commit()
    return { ok: false, conflict: 'order' }
  })
  const { pay, type } = bank({ store, maxTriesPerCard: 2 })
  await type('116', {}, { card: SALE.credit_card_number })
  expect([(await pay('116')).status, (await pay('116')).status]).toEqual([200, 429])
})

describe('the tries on hosted forms from one address', () => {
  test('[F-B13] are a hundred in vain within an hour, whatever the card, and other addresses and merchants pay as before', async () => {
    const { type, asked, reached, clock } = bank()
    const hostile = { peer: '203.0.113.7' }
    for (let at = 0; at < 105; at++) await type('116', hostile)
    expect(asked).toHaveLength(100)
    const [english, german] = [
      await type('777', hostile),
      await type('777', { ...hostile, headers: { 'accept-language': 'de' } }),
    ]
    expect([english.status, english.headers['retry-after']]).toEqual([429, '3600'])
    expect(english.body).toContain('Too many tries from your connection')
    expect(german.body).toContain('Zu viele Versuche über Ihren Anschluss')
    expect(reached.at(-1)).toEqual({ limit: 'tries-per-address', login: SHOP.login, peer: '203.0.113.7' })
    expect((await type('777', { peer: '203.0.113.8' })).status).toBe(303)
    expect((await type('777', hostile, { signer: RIVAL })).status).toBe(303)
    await clock.advance('1h')
    expect((await type('777', hostile)).status).toBe(303)
  })

  test('do not count what was approved', async () => {
    const { type } = bank({ maxTriesPerAddress: 2 })
    const office = { peer: '203.0.113.7' }
    for (let at = 0; at < 20; at++) expect((await type('777', office)).status).toBe(303)
    await type('116', office)
    for (let at = 0; at < 20; at++) expect((await type('777', office)).status).toBe(303)
    await type('116', office)
    expect((await type('777', office)).status).toBe(429)
  })

  test('count an IPv6 address as its /64', async () => {
    const { type } = bank({ maxTriesPerAddress: 1 })
    await type('116', { peer: '2001:db8:1:2::1' })
    expect((await type('777', { peer: '2001:0db8:0001:0002:ffff::9' })).status).toBe(429)
    expect((await type('777', { peer: '2001:db8:1:3::1' })).status).toBe(303)
  })

  test('tell customers apart whose IPv4 addresses are translated', async () => {
    const { type } = bank({ maxTriesPerAddress: 1 })
    await type('116', { peer: '64:ff9b::203.0.113.7' })
    expect((await type('777', { peer: '64:ff9b::203.0.113.8' })).status).toBe(303)
    expect((await type('777', { peer: '64:ff9b::cb00:7107' })).status).toBe(429)
  })

  const seenAs = (made: string) => ({ 'x-forwarded-for': made })

  test.for<
    readonly [
      what: string,
      options: TestGatewayOptions,
      made: (at: number) => Partial<GatewayRequest>,
      isLimited: boolean,
    ]
  >([
    [
      'an address that the caller makes up',
      {},
      (at) => ({ peer: '203.0.113.7', headers: seenAs(`198.51.100.${at}`) }),
      true,
    ],
    [
      'one that it puts before that of the proxy',
      { trustedProxies: ['10.0.0.0/8'] },
      (at) => ({ peer: '10.0.0.2', headers: seenAs(`198.51.100.${at}, 203.0.113.7`) }),
      true,
    ],
    [
      'one in a header of its own',
      { trustedProxies: ['10.0.0.0/8'] },
      (at) => ({ peer: '10.0.0.2', headers: { 'x-forwarded-for': [`198.51.100.${at}`, '203.0.113.7'] } }),
      true,
    ],
    [
      'customers behind two proxies',
      { trustedProxies: ['10.0.0.2', '2001:db8::/32'] },
      (at) => ({ peer: '::ffff:10.0.0.2', headers: seenAs(`198.51.100.${at}, 2001:db8::7`) }),
      false,
    ],
    [
      'one customer with the port',
      { trustedProxies: ['10.0.0.2'] },
      (at) => ({ peer: '10.0.0.2', headers: seenAs(`203.0.113.7:${5000 + at}`) }),
      true,
    ],
    [
      'customers behind a proxy that does not name them',
      { trustedProxies: ['10.0.0.2'] },
      () => ({ peer: '10.0.0.2' }),
      false,
    ],
    ['customers behind a proxy that nobody has named', {}, () => ({ peer: '10.0.0.2' }), false],
    ['a network without a proxy', { trustedProxies: [] }, () => ({ peer: '10.0.0.2' }), true],
    ['a network under http', { publicUrl: 'http://gate.example.com/paynet' }, () => ({ peer: '10.0.0.2' }), true],
    ['nobody knows whom', {}, () => ({}), false],
  ])('know %s', async ([, options, made, isLimited]) => {
    const { type } = bank({ maxTriesPerAddress: 3, ...options })
    for (let at = 0; at < 3; at++) await type('116', made(at))
    expect((await type('777', made(3))).status).toBe(isLimited ? 429 : 303)
  })

  test('a wrong name of a proxy is refused at the start', () => {
    for (const wrong of ['proxy.example.com', '10.0.0.0/33', '10.0.0', '', '10.0.0.0/', '0.0.0.0/0', '::/0']) {
      expect(() => bank({ trustedProxies: [wrong] })).toThrow('trustedProxies: ')
    }
  })
})

test('the log of refusals has the address that a trusted proxy names', async () => {
  const refused: Array<string | undefined> = []
  const { gateway } = testGateway({
    trustedProxies: ['10.0.0.2'],
    onAnswer: ({ refused: answer }) => void refused.push(answer?.peer),
  })
  const headers = { 'x-forwarded-for': '203.0.113.7' }
  for (const peer of ['10.0.0.2', '192.0.2.1']) {
    await gateway.handle({ method: 'GET', url: '/paynet/form/none', body: '', headers, peer })
  }
  expect(refused).toEqual(['203.0.113.7', '192.0.2.1'])
})
