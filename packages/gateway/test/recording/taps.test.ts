import type { RecordedEvent } from '@tallystick/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FAULT_NAMES } from '../../src/faults/faults.ts'
import { createRecording, memoryStore, simulator, virtualClock } from '../../src/index.ts'
import { deciding, declined } from '../support/acquirers.ts'
import { desk } from '../support/desk.ts'
import { issuer } from '../support/issuer.ts'
import { visitor } from '../support/page-visitor.ts'
import { control, form, NOW, post, SALE, SHOP, sale, status } from '../support/signed-requests.ts'
import { type TestGatewayOptions, testGateway } from '../support/test-gateway.ts'
import { redirected, threeDsDesk } from '../support/three-ds.ts'

type Kind = RecordedEvent['type']

function recorded(options: TestGatewayOptions = {}) {
  const made = testGateway({ sandbox: true, ...options })
  const { recording } = made.gateway
  if (recording === undefined) throw new Error('nothing is recorded')
  const all = <Type extends Kind>(type: Type) =>
    [...recording.events()].filter((event): event is Extract<RecordedEvent, { type: Type }> => event.type === type)
  return { ...made, recording, all }
}

const CALLED = { server_callback_url: 'https://shop.example.com/cb?shop=7' }

/** Ids that are the same in every run. */
function countedIds() {
  let at = 0
  const next = () => String(at++).padStart(3, '0')
  return {
    orderId: () => `900000000000${next()}`,
    serialNumber: () => `00000000-0000-4000-8000-000000000${next()}`,
    pageToken: () => `token-of-a-page-with-more-than-128-bits-${next()}`,
  }
}

describe('a recording has', () => {
  test('[F-E3] a sale with its form as it was signed, what was verified, and its reply', async () => {
    const { gateway, all } = recorded({ ids: countedIds() })
    await gateway.handle(sale({ order_desc: 'Ten roses' }))
    expect(all('request')).toEqual([
      {
        version: 1,
        id: 1,
        half: 'gateway',
        type: 'request',
        at: NOW * 1000,
        method: 'POST',
        path: '/paynet/api/v2/sale/1111',
        headers: { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' },
        form:
          'client_orderid=inv-1&order_desc=Ten%20roses&address1=1%20Main%20St&city=Berlin&zip_code=10115&country=DE' +
          '&phone=%2B4930123456&email=john.smith%40gmail.com&ipaddress=203.0.113.7&amount=10.42&currency=EUR' +
          '&credit_card_number=444433***1111&card_printed_name=JOHN%20SMITH&expire_month=12&expire_year=2031&cvv2=***' +
          `&control=${control('endpointId + client_orderid + amount + email + key', SALE)}`,
        bytes: sale({ order_desc: 'Ten roses' }).body.length,
      },
    ])
    expect(all('reply')).toEqual([
      expect.objectContaining({
        request: 1,
        operation: 'sale',
        endpointId: '1111',
        login: 'shop',
        clientOrderId: 'inv-1',
        orderId: '900000000000001',
        serialNumber: '00000000-0000-4000-8000-000000000000',
        verifiedBy: 'control',
        httpStatus: 200,
        values: { type: 'async-response' },
        milliseconds: 0,
      }),
    ])
  })

  test('[F-E3] why a request was refused: what the signature doctor says, with both texts', async () => {
    const { gateway, all } = recorded()
    const fields = { ...SALE, amount: '10.42' }
    // Signed with the amount in major units.
    const wrong = control('endpointId + client_orderid + price + email + key', { ...fields, price: '10.42' })
    await gateway.handle(post('/api/v2/sale/1111', form({ ...fields, control: wrong })))
    const [{ refusal, verifiedBy, httpStatus, login } = {}] = all('reply')
    expect([httpStatus, verifiedBy, login]).toEqual([403, undefined, undefined])
    expect(refusal).toMatchObject({
      reason: 'The control does not fit.',
      errorCode: '4',
      doctor: {
        expected: '1111inv-11042john.smith@gmail.com[key]',
        received: '1111inv-110.42john.smith@gmail.com[key]',
      },
    })
    expect(refusal?.doctor?.cause).toMatch(/amount/)
    expect(refusal?.doctor?.advice).toMatch(/amount/)
  })

  test('[F-E3] no doctor outside a sandbox, where a stranger would keep it busy', async () => {
    const { gateway, all } = recorded({ sandbox: false, recorder: createRecording() })
    await gateway.handle({ ...sale(), body: `${form(SALE)}&control=${'0'.repeat(40)}` })
    expect(all('reply')[0]?.refusal).toEqual({ reason: 'The control does not fit.', errorCode: '4' })
  })

  test.for([
    ['Basic c2hvcDpr', 'Basic ***'],
    ['Bearer k1', 'Bearer ***'],
    ['4444333322221111', '***'],
    ['key another', '***'],
  ])('[F-E3] of %j as authorization %j: the secret is in it', async ([authorization, shown]) => {
    const { gateway, all } = recorded()
    await gateway.handle({ ...sale(), headers: { ...sale().headers, authorization } })
    expect(all('request')[0]?.headers['authorization']).toBe(shown)
  })

  test('[F-E3] what is no form by its length alone', async () => {
    const { gateway, all } = recorded()
    await gateway.handle(post('/api/v2/sale/1111', '{"cvv2":"123"}', { 'content-type': 'application/json' }))
    expect(all('request')[0]).toMatchObject({ bytes: 14, headers: { 'content-type': 'application/json' } })
    expect(all('request')[0]).not.toHaveProperty('form')
    expect(all('reply')[0]?.refusal?.reason).toContain('application/x-www-form-urlencoded')
  })

  test('[F-E3] [F-E4] the fault that a reply met, and that it was asked for', async () => {
    const { gateway, all } = recorded()
    gateway.faults.next('sale', 'reply-lost-before-commit')
    await gateway.handle(sale())
    gateway.faults.forOrder('inv-1', 'callback-twice')
    gateway.faults.clear()
    expect(all('fault')).toMatchObject([
      { type: 'fault', what: 'set', fault: 'reply-lost-before-commit', operation: 'sale' },
      { type: 'fault', what: 'struck', fault: 'reply-lost-before-commit', clientOrderId: 'inv-1' },
      { type: 'fault', what: 'set', fault: 'callback-twice', clientOrderId: 'inv-1' },
      { type: 'fault', what: 'cleared' },
    ])
    expect(all('request')[0]?.form).toContain('client_orderid=inv-1')
    expect(all('reply')).toMatchObject([{ operation: 'sale', httpStatus: 0, fault: 'reply-lost-before-commit' }])
  })

  test('[F-E4] each state of an order with its postings, and each call to the acquirer', async () => {
    const { all, sale: sold, return: returned } = recordedDesk()
    const ids = await sold()
    await returned(ids, { amount: '0.42', currency: 'EUR', comment: 'broken' })
    expect(
      all('state').map(({ orderVersion, operationId, kind, status, amount, postings }) => [
        orderVersion,
        operationId.slice(-2),
        kind,
        status,
        amount,
        postings.map(({ account, amount }) => `${account} ${amount}`),
      ]),
    ).toEqual([
      [1, '-1', 'sale', 'sent', '10.42', []],
      [2, '-1', 'sale', 'approved', '10.42', ['payer -10.42', 'merchant 10.42']],
      [3, '-2', 'reversal', 'sent', '0.42', []],
      [4, '-2', 'reversal', 'approved', '0.42', ['merchant -0.42', 'payer 0.42']],
    ])
    expect(all('acquirer').map(({ call, kind, amount, answer }) => [call, kind, amount, answer])).toEqual([
      ['tokenize', 'sale', '10.42', 'accepted'],
      ['execute', 'sale', '10.42', 'approved'],
      ['execute', 'reversal', '0.42', 'approved'],
    ])
  })

  test('[F-E4] what the acquirer declined, and that it failed', async () => {
    const { gateway, all } = recorded({ acquirer: deciding({ execute: async () => declined('No: 4444333322221111') }) })
    await gateway.handle(sale())
    await gateway.settled()
    expect(all('acquirer')[1]).toMatchObject({
      call: 'execute',
      answer: 'declined',
      errorCode: '100',
      errorMessage: 'No: 444433******1111',
    })
    const broken = recorded({
      acquirer: deciding({
        tokenize: async () => {
          throw new Error('4444333322221111')
        },
      }),
    })
    await broken.gateway.handle(sale())
    expect(broken.all('acquirer')).toMatchObject([{ call: 'tokenize', answer: 'failed' }])
    expect(broken.heard).toHaveLength(1)
  })

  test('[F-E4] each attempt of a callback with its answer and the time of the next, and that the clock was advanced', async () => {
    let answers = [503, 200]
    const { gateway, clock, all } = recorded({
      sendCallback: async () => {
        const [now = 200, ...later] = answers
        answers = later
        return { status: now }
      },
    })
    await gateway.handle(sale(CALLED))
    await gateway.settled()
    const [first] = all('callback')
    expect(first).toMatchObject({
      address: 'https://shop.example.com/cb',
      answer: '503',
      state: 'open',
      attempts: 1,
    })
    expect(first?.query).toMatch(/^shop=7&status=approved&orderid=\d{15}&/)
    expect(first?.nextAt).toBeGreaterThan(NOW * 1000)
    await clock.advance('10m')
    await gateway.settled()
    expect(all('clock')).toMatchObject([{ at: NOW * 1000, byMs: 600_000 }])
    expect(all('callback')[1]).toMatchObject({ answer: '200', state: 'acknowledged', attempts: 2 })
    expect(all('callback')[1]).not.toHaveProperty('nextAt')
  })

  test('[F-E4] the pages that the customer saw and sent, and the messages of 3-D Secure', async () => {
    const store = memoryStore()
    const { begin, gateway } = threeDsDesk({ store, sandbox: true })
    const { ids, redirectTo } = await begin(redirected('challenge'))
    const customer = visitor(gateway)
    await customer.open(redirectTo)
    const cres = await issuer(store).cRes(ids.orderid)
    await customer.post(redirectTo.replace('/3ds/redirect/', '/3ds/challenge/'), { cres })
    const events = [...(gateway.recording?.events() ?? [])]
    expect(
      events.flatMap((event) =>
        event.type === 'page' ? [[event.method, event.page, event.httpStatus, event.shown, event.form]] : [],
      ),
    ).toEqual([
      ['GET', '/3ds/redirect/{token}', 200, expect.any(String), undefined],
      ['POST', '/3ds/challenge/{token}', 303, undefined, `cres=${encodeURIComponent(`[${cres.length} characters]`)}`],
      ['GET', '/3ds/redirect/{token}', 200, expect.any(String), undefined],
    ])
    expect(events.filter(({ type }) => type === 'three-ds')).toMatchObject([
      { step: 'challenge', direction: 'to-issuer', orderId: ids.orderid, fields: { messageType: 'CReq' } },
      { step: 'challenge', direction: 'from-issuer', fields: { messageType: 'CRes', transStatus: 'Y' } },
    ])
    const [token = ''] = redirectTo.split('/').slice(-1)
    expect(gateway.recording?.ndjson()).not.toContain(token)
  })
})

describe('recording', () => {
  test('[F-E7] is on in a sandbox, off elsewhere, and as the operator says', async () => {
    const recorder = createRecording()
    expect(testGateway({ sandbox: true }).gateway.recording).toBeDefined()
    expect(testGateway().gateway.recording).toBeUndefined()
    expect(testGateway({ sandbox: true, recorder: false }).gateway.recording).toBeUndefined()
    expect(testGateway({ recorder }).gateway.recording).toBe(recorder)
    expect(() => testGateway({ recorder: {} as never })).toThrow(
      'recorder must be a recording, such as createRecording()',
    )
  })

  test('[F-E1] masks card numbers, CVVs and keys in each field, whatever its name', () => {
    const PAN = '4444333322221111'
    const KEY = SHOP.controlKey
    const NAMES = [...Object.keys(SALE), 'login', 'merchant_data', 'card-no', 'orderid', 'control', 'redirect_url']
    const secret = fc.constantFrom(
      PAN,
      KEY,
      '4444 3333 2222 1111',
      '4444-3333-2222-1111',
      `cvv2=7391`,
      `{"cvv":"7391"}`,
    )
    const field = fc.tuple(fc.constantFrom(...NAMES), fc.string(), secret, fc.string())
    const code = fc.constantFrom('cvv2', 'cvv', 'CVC', 'card_security_code', 'c%76v2')
    return fc.assert(
      fc.asyncProperty(
        fc.array(field, { minLength: 1, maxLength: 5 }),
        code,
        fc.boolean(),
        async (fields, name, isName) => {
          const { gateway, recording } = recorded()
          const planted = fields.map(([field, before, value, after]) =>
            isName
              ? form({ [`${before}~${value}~${after}`]: field })
              : form({ [field]: `${before}~${value}~${after}` }),
          )
          const body = [...planted, `${name}=7391`].join('&')
          await gateway.handle(post('/api/v2/sale/1111', body))
          await gateway.handle(
            post(`/api/v2/status/1111?pan=${PAN}`, body, { accept: PAN, authorization: `Bearer ${KEY}` }),
          )
          const text = decodeURIComponent(recording.ndjson().replaceAll('\\"', '"'))
          expect(text).toContain('"type":"reply"')
          for (const planted of [PAN, KEY, '4444 3333 2222 1111', '4444-3333-2222-1111', '7391']) {
            expect(text.replaceAll(/"(?:serialNumber|orderId)":"[^"]*"/g, '')).not.toContain(planted)
          }
        },
      ),
      {
        numRuns: 60,
        // The control does not fit, so that the text to be signed is shown.
        examples: [
          [
            [
              ['control', '', PAN, ''],
              ['client_orderid', '', `{"cvv":"7391"}`, ''],
            ],
            'cvv2',
            false,
          ],
        ],
      },
    )
  })

  test('[F-E6] gives the same bytes for the same seed, clock and requests', async () => {
    const step = fc.constantFrom('sale', 'again', 'status', 'wrong', 'advance', 'fault')
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 99 }),
        async (steps, seed) => {
          const [one, other] = await Promise.all([session(steps, seed), session(steps, seed)])
          expect(one.length).toBeGreaterThan(0)
          expect(other).toBe(one)
        },
      ),
      { numRuns: 25 },
    )
  })
})

function recordedDesk() {
  const made = desk({ sandbox: true })
  const events = () => [...(made.gateway.recording?.events() ?? [])]
  const all = <Type extends Kind>(type: Type) =>
    events().filter((event): event is Extract<RecordedEvent, { type: Type }> => event.type === type)
  return { ...made, all }
}

/** The recording of a session as text. */
async function session(steps: readonly string[], seed: number): Promise<string> {
  let random = seed
  const { gateway, clock } = testGateway({
    sandbox: true,
    ids: countedIds(),
    clock: virtualClock(NOW * 1000),
    // A slow reply would wait for the clock.
    faults: { seed, probability: 0.3, only: FAULT_NAMES.filter((name) => name !== 'slow-reply') },
    acquirer: simulator({
      random: (bytes) => {
        for (let at = 0; at < bytes.length; at++) bytes[at] = random++ % 256
      },
    }),
  })
  let sold = 0
  const acts: Readonly<Record<string, () => unknown>> = {
    sale: () => gateway.handle(sale({ ...CALLED, client_orderid: `inv-${++sold}` })),
    again: () => gateway.handle(sale({ ...CALLED, client_orderid: `inv-${sold}` })),
    status: () => gateway.handle(status({ client_orderid: `inv-${sold}` })),
    wrong: () => gateway.handle({ ...sale(), body: sale().body.replace('10.42', '10.43') }),
    advance: () => clock.advance('1h'),
    fault: () => gateway.faults.next('sale', 'html-page'),
  }
  for (const step of steps) {
    await acts[step]?.()
    await gateway.settled()
  }
  const text = gateway.recording?.ndjson() ?? ''
  await gateway.close()
  return text
}
