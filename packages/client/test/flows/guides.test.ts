import { describe, expect, test } from 'vitest'
import {
  createPaymentClient,
  type Exchange,
  type OrderRef,
  payoutInSteps,
  previewCharges,
  rebillOrderId,
  storeCard,
} from '../../src/index.ts'
import { standingClock, steppedClock } from '../clocks.ts'
import { fakeTransport, json, lost } from '../fake-transport.ts'
import { privatePem } from '../keys.ts'
import { baseUrl, merchant } from '../merchant.ts'

const order = { clientOrderId: 'invoice-a', orderId: '6768788' }
const ids = { 'paynet-order-id': '6768788', 'merchant-order-id': 'invoice-a' }
const refused = json({ type: 'validation-error', 'error-message': 'No' }, 400)
const taken = json({ type: 'async-response', ...ids })

function shop(...exchanges: readonly Exchange[]) {
  const transport = fakeTransport(...exchanges)
  const options = { ...merchant, privateKey: privatePem, baseUrl, transport, clock: standingClock(1_669_966_913_999) }
  const paths = () => transport.sent.map(({ url }) => url.slice(`${baseUrl}/api/`.length))
  const bodies = () => transport.sent.map(({ body }) => new URLSearchParams(body))
  return { client: createPaymentClient(options), paths, bodies }
}

describe('storeCard', () => {
  const reference = json({ type: 'create-card-ref-response', status: 'approved', 'card-ref-id': '1326586' })
  const info = json({
    type: 'get-card-info-response',
    bin: '444455',
    'last-four-digits': '1111',
    'expire-month': '12',
    'expire-year': '2030',
    'card-printed-name': 'A',
  })

  test('returns the reference and the card info', async () => {
    const stored = await storeCard(shop(reference, info).client, order)
    expect(stored).toMatchObject({ outcome: 'accepted', cardRefId: '1326586', card: { bin: '444455' } })
  })

  test('also returns the reference if the card info cannot be read', async () => {
    const stored = await storeCard(shop(reference, lost).client, order)
    expect(stored).toMatchObject({ outcome: 'accepted', cardRefId: '1326586', card: { code: 'NO_REPLY' } })
  })

  test('returns the outcome if no card was stored', async () => {
    expect(await storeCard(shop(refused).client, order)).toMatchObject({ outcome: 'rejected' })
  })
})

describe('previewCharges', () => {
  test('[G13-02] lists the first charges; a short month moves only its own charge', () => {
    const schedule = { period: 'month', interval: 1, startDate: '2027-01-31' } as const
    expect(previewCharges(schedule, 3).map(({ date }) => date)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31'])
  })

  test('ends with the schedule, and is empty without one', () => {
    const schedule = { period: 'week', interval: '2', startDate: '2027-01-01', finishDate: '2027-01-20' } as const
    expect(previewCharges(schedule)).toEqual([
      { number: 1, date: '2027-01-01' },
      { number: 2, date: '2027-01-15' },
    ])
    expect(previewCharges({})).toEqual([])
  })

  test('refuses a schedule without a first day, a wrong count, and a date that is not a text', () => {
    expect(() => previewCharges({ period: 'day', interval: 1 })).toThrow('startDate must be given')
    expect(() => previewCharges({}, -1)).toThrow('count must be')
    for (const field of ['startDate', 'finishDate']) {
      expect(() =>
        previewCharges({ period: 'day', interval: 1, startDate: '2027-01-01', [field]: new Date(0) }),
      ).toThrow(new TypeError(`previewCharges: ${field} must be a text such as '2027-01-31'`))
    }
  })
})

describe('rebillOrderId', () => {
  test('is made of the agreement, the period and the attempt, between letters', () => {
    // printf '["subscription-7","2026-11",1]' | sha256sum
    expect(rebillOrderId('subscription-7', '2026-11')).toBe('rce5d769d6e4abcf9b9c6608f14888bdcz')
    expect(rebillOrderId('subscription-7', '2026-11', 2)).not.toBe(rebillOrderId('subscription-7', '2026-11', 1))
  })

  test.each(['2026', '2026-01', '2026-12', '2026-11-01', '2026-11-31', '2026-Q4', '2026-W01', '2026-W53', '0', '17'])(
    'takes the period %s',
    (period) => {
      expect(rebillOrderId('a', period)).toMatch(/^r[0-9a-f]{32}z$/)
    },
  )

  test('is different for agreements and periods that are the same text when joined', () => {
    const ids = [
      rebillOrderId('a', '1'),
      rebillOrderId('a.1', '1'),
      rebillOrderId('a', '11'),
      rebillOrderId('a.1.1', '1'),
    ]
    expect(new Set(ids).size).toBe(4)
  })

  test.each([
    ['a', 'November'],
    ['a', '2026-Q5'],
    ['a', '2026-11 '],
    // Other spellings of the periods 7, 2026-W47 and 2027-01.
    ['a', '07'],
    ['a', '2026-47'],
    ['a', '2026-13'],
    ['a', '2026-00'],
    ['a', '2026-W00'],
    ['a', '2026-W54'],
    ['a', '2026-11-00'],
    ['a', '2026-11-32'],
    ['a', 11 as never],
    ['a', ''],
    ['', '2026'],
    [' a', '2026'],
    [7 as never, '2026'],
    [undefined as never, '2026'],
  ])('refuses the agreement %j with the period %j', (agreement, period) => {
    expect(() => rebillOrderId(agreement, period)).toThrow(/^(?:agreement|period) /)
  })
})

describe('[S3-07] a payout in two steps', () => {
  const input = { clientOrderId: 'invoice-a', amount: '10.42', currency: 'EUR', cardNumber: '4444555566661111' }
  const status = (fields: Readonly<Record<string, string>>) => json({ type: 'status-response', ...ids, ...fields })
  const checking = status({ status: 'processing' })
  const checked = status({ status: 'processing', 'order-stage': 'payout_checked', amount: '10.42' })
  const yes = { confirm: () => true }

  test('checks, waits, asks for confirmation and pays', async () => {
    const { client, paths } = shop(taken, checking, checked, taken)
    const asked: unknown[] = []
    const confirm = async (payout: unknown) => {
      asked.push(payout)
      return true
    }
    expect(await payoutInSteps(client, input, { confirm })).toMatchObject({
      stage: 'pay',
      result: { outcome: 'accepted' },
    })
    expect(asked).toMatchObject([{ ...order, reply: { amount: '10.42' } }])
    expect(paths()).toEqual(['v4/payout-check/253', 'v2/status/253', 'v2/status/253', 'v4/payout-pay/253'])
  })

  test('pays nothing unless confirm returns true', async () => {
    const { client, paths } = shop(taken, checked, taken)
    expect(await payoutInSteps(client, input, { confirm: () => false })).toMatchObject({
      stage: 'checked',
      checked: order,
    })
    expect(paths()).not.toContain('v4/payout-pay/253')
  })

  test.each(['yes', 1, {}])('pays nothing if confirm returns %j', async (said) => {
    const { client, paths } = shop(taken, checked, taken)
    const confirm = async () => said as never
    expect(await payoutInSteps(client, input, { confirm })).toMatchObject({ stage: 'checked' })
    expect(paths()).not.toContain('v4/payout-pay/253')
  })

  test('pays nothing under an id that was paid before, and reports that outcome', async () => {
    const { client, paths } = shop(taken, status({ status: 'approved', 'order-stage': 'payout_approved' }))
    expect(await payoutInSteps(client, input, yes)).toMatchObject({
      stage: 'checking',
      outcome: { outcome: 'approved', ...order },
    })
    expect(paths()).not.toContain('v4/payout-pay/253')
  })

  test('finds a check whose reply was lost', async () => {
    expect(await payoutInSteps(shop(lost, checked, taken).client, input, yes)).toMatchObject({ stage: 'pay' })
  })

  test('pays nothing if its check was not sent, whatever the order looks like', async () => {
    const unsent: Exchange = { kind: 'not-sent', seen: 'the connection failed with ECONNREFUSED' }
    const { client, paths } = shop(unsent, checked, taken)
    expect(await payoutInSteps(client, input, yes)).toMatchObject({ stage: 'check', result: { outcome: 'notSent' } })
    expect(paths()).toEqual(['v4/payout-check/253'])
  })

  test('ends with a check that was refused, declined or is undecided', async () => {
    expect(await payoutInSteps(shop(refused).client, input, yes)).toMatchObject({
      stage: 'check',
      result: { outcome: 'rejected' },
    })
    const declined = shop(taken, status({ status: 'declined' })).client
    expect(await payoutInSteps(declined, input, yes)).toMatchObject({
      stage: 'checking',
      outcome: { outcome: 'declined' },
    })
    const clock = steppedClock(1_669_966_913_999)
    const transport = fakeTransport(taken, checking)
    const waits = createPaymentClient({ ...merchant, privateKey: privatePem, baseUrl, transport, clock })
    const undecided = payoutInSteps(waits, input, { ...yes, deadlineMs: 1000 })
    await clock.advance(1000)
    expect(await undecided).toMatchObject({ stage: 'checking', outcome: { outcome: 'undecided' } })
  })

  test.each<readonly [option: string, options: unknown]>([
    ['payoutInSteps: the options must be an object', undefined],
    ['confirm must be given', { deadlineMs: 1000 }],
    ['confirm must be a function', { confirm: true }],
    ['deadlineMs must be', { ...yes, deadlineMs: '5s' }],
    ['did you mean deadlineMs?', { ...yes, deadline: 1000 }],
  ])('registers nothing if an option is wrong: %s', async (message, options) => {
    const { client, paths } = shop(taken, checked, taken)
    await expect(payoutInSteps(client, input, options as typeof yes)).rejects.toThrow(message)
    expect(paths()).toEqual([])
  })

  test('pays what it has checked, even if the caller changes the input meanwhile', async () => {
    const { client, bodies } = shop(taken, checked, taken)
    const reused = { ...input }
    const paid = payoutInSteps(client, reused, yes)
    reused.clientOrderId = 'invoice-b'
    expect(await paid).toMatchObject({ stage: 'pay', checked: order })
    expect(bodies().map((body) => body.get('client_orderid'))).toEqual(['invoice-a', 'invoice-a', 'invoice-a'])
  })

  test('asks for the check by its client order id, even if the input’s class has an orderId of its own', async () => {
    class Row {
      get orderId() {
        return 'row-17'
      }
    }
    const { client } = shop(taken, checked, taken)
    const asked: OrderRef[] = []
    const watchOutcome: typeof client.watchOutcome = (of, wait) => {
      asked.push(of)
      return client.watchOutcome({ clientOrderId: of.clientOrderId }, wait)
    }
    await payoutInSteps({ ...client, watchOutcome }, Object.assign(new Row(), input), yes)
    expect(asked).toEqual([{ clientOrderId: 'invoice-a' }])
  })

  test('leaves the outcome of a payment whose reply was lost unknown, and pays once', async () => {
    const { client, paths } = shop(taken, checked, lost)
    expect(await payoutInSteps(client, input, yes)).toMatchObject({ stage: 'pay', result: { outcome: 'unknown' } })
    expect(paths().filter((path) => path.includes('payout-pay'))).toHaveLength(1)
  })
})
