import { createHash } from 'node:crypto'
import diagnostics from 'node:diagnostics_channel'
import { describe, expect, test } from 'vitest'
import {
  createPaymentClient,
  createThreeDsReturnHandler,
  DIAGNOSTICS,
  type Exchange,
  merchantCredentials,
  type ReturnedOutcome,
  redirectTo,
} from '../../src/index.ts'
import { skippingClock } from '../callbacks/skipping-clock.ts'
import { fakeTransport, json } from '../fake-transport.ts'
import { baseUrl, merchant } from '../merchant.ts'

/** Shapes as gaps parts 8 and 13 record them. */
const ids = { 'paynet-order-id': '6768788', 'merchant-order-id': 'invoice-a' }
const order = { clientOrderId: 'invoice-a', orderId: '6768788' }
const returnUrl = 'https://shop.example.com/pay/return'
const status = (fields: object): Exchange => json({ type: 'status-response', ...ids, ...fields })
const uploaded = json({ type: 'async-response', ...ids })
const method = status({
  status: 'processing',
  'tds-status': 'MethodUrlFrame',
  'tds-method-url-frame-3ds-method-url': 'https://acs.example.com/method',
  'tds-method-url-frame-3ds-server-trans-id': '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
})
const challenge = status({
  status: 'processing',
  'tds-status': 'CReqForm',
  'tds-creq-form-acs-url': 'https://acs.example.com/challenge',
  'tds-creq-form-creq': 'eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ',
})
const final = new URLSearchParams({
  status: 'approved',
  orderid: '6768788',
  client_orderid: 'invoice-a',
  control: createHash('sha1').update('approved6768788invoice-akey').digest('hex'),
}).toString()

function shop(...exchanges: readonly Exchange[]) {
  const transport = fakeTransport(...exchanges)
  const options = { ...merchant, baseUrl, controlKey: 'key', transport, clock: skippingClock() }
  const client = createPaymentClient(options)
  const shown: ReturnedOutcome[] = []
  const handle = createThreeDsReturnHandler({
    client,
    returnUrl,
    deadlineMs: 5000,
    show: (outcome) => {
      shown.push(outcome)
      return redirectTo(`/orders/${outcome.orderId}/${outcome.outcome}`)
    },
  })
  return { client, transport, shown, handle }
}

/** The address that the page of the method step goes on to. */
async function methodState({ client }: Pick<ReturnType<typeof shop>, 'client'>): Promise<string> {
  const step = await client.threeDs.next(order, { returnUrl })
  if (step.step !== 'method') throw new Error('there is no method step')
  return /\?(tallystick_3ds=[\w-]+)"/.exec(step.page.body)?.[1] ?? ''
}

const post = (body: string, query = '') => ({ method: 'POST', query, body })

describe('A request of the browser in the course of 3DS', () => {
  test('[G8-02] is uploaded with what is known about the browser, and answered by the page of the next step', async () => {
    const made = shop(method, uploaded, challenge)
    const query = await methodState(made)
    const inbound = {
      ...post('methodCompletion=Y', query),
      headers: { accept: 'text/html', 'user-agent': 'Mozilla/5.0', 'accept-language': 'de' },
      customerIp: '203.0.113.7',
    }
    expect(await made.handle(inbound)).toMatchObject({
      status: 200,
      body: expect.stringContaining('https://acs.example.com/challenge'),
    })
    const upload = made.transport.sent.find(({ url }) => url.includes('upload-method-url-result'))
    expect(Object.fromEntries(new URLSearchParams(upload?.body))).toMatchObject({
      browserIP: '203.0.113.7',
      browserUserAgent: 'Mozilla/5.0',
      browserLanguage: 'de',
    })
    expect(made.shown).toEqual([])
  })

  test('from the hidden frame is answered by the page that notifies the one around it', async () => {
    const made = shop(method)
    const query = await methodState(made)
    expect(await made.handle(post('threeDSMethodData=e30', query))).toMatchObject({
      status: 200,
      body: expect.stringContaining('postMessage'),
    })
  })

  test('is answered by the outcome if no step is left, by POST and by GET', async () => {
    const { handle, shown } = shop(status({ status: 'declined' }))
    const declined = redirectTo('/orders/6768788/declined')
    expect(await handle(post(final))).toEqual(declined)
    expect(await handle({ method: 'GET', query: final })).toEqual(declined)
    expect(shown[0]).toMatchObject({ outcome: 'declined', ...order, reply: { status: 'declined' } })
  })

  test('is not answered by anything but a page, such as an address', async () => {
    const client = createPaymentClient({
      ...merchant,
      baseUrl,
      transport: fakeTransport(status({ status: 'approved' })),
    })
    const credentials = merchantCredentials({ login: 'other', controlKey: 'key' })
    const handle = createThreeDsReturnHandler({ client, returnUrl, credentials, show: (() => '/thanks') as never })
    await expect(handle(post(final))).rejects.toThrow('A 3-D Secure return: show must return a page')
  })

  test('that opens the address of a step again polls the status, and uploads nothing', async () => {
    const made = shop(method, status({ status: 'approved' }))
    const query = await methodState(made)
    expect(await made.handle({ method: 'GET', query })).toEqual(redirectTo('/orders/6768788/approved'))
    expect(made.transport.sent.map(({ url }) => /\/v2\/(\w+)\//.exec(url)?.[1])).toEqual(['status', 'status'])
  })

  test('that opens the address of a step after a return that was declined shows an approved payment', async () => {
    const made = shop(method, status({ status: 'declined', 'transaction-type': 'reversal' }))
    const query = await methodState(made)
    expect(await made.handle({ method: 'GET', query })).toEqual(redirectTo('/orders/6768788/approved'))
    expect(made.shown).toMatchObject([{ outcome: 'approved', reply: { status: 'declined' } }])
  })

  test('that opens the address of a step again gets a later step, not the one that was done', async () => {
    const made = shop(method, method, challenge)
    const query = await methodState(made)
    expect(await made.handle({ method: 'GET', query })).toMatchObject({
      status: 200,
      body: expect.stringContaining('https://acs.example.com/challenge'),
    })
  })

  test('is verified with the key of the merchant whose credentials the handler has', async () => {
    const transport = fakeTransport(status({ status: 'approved' }))
    const client = createPaymentClient({ ...merchant, baseUrl, transport })
    const credentials = merchantCredentials({ login: 'other', controlKey: 'key' })
    const show = ({ outcome }: ReturnedOutcome) => redirectTo(`/orders/${outcome}`)
    const handle = createThreeDsReturnHandler({ client, returnUrl, show, credentials })
    expect(await handle(post(final))).toEqual(redirectTo('/orders/approved'))
    expect(transport.sent[0]?.body).toContain('login=other&')
  })

  test('is answered by an undecided outcome at the deadline, with the ids of the order', async () => {
    const { handle, shown } = shop(status({ status: 'processing' }))
    await handle(post(final))
    expect(shown).toMatchObject([{ outcome: 'undecided', ...order }])
  })

  test.each([
    ['no return', post(''), 400],
    ['a forged return', post(final.replace(/control=\w{4}/, 'control=0000')), 403],
    ['a PUT', { method: 'PUT', query: '', body: final }, 405],
  ])('is refused if it is %s, and no request is sent', async (_what, inbound, refused) => {
    const { handle, transport } = shop(status({ status: 'approved' }))
    expect(await handle(inbound)).toMatchObject({ status: refused })
    expect(transport.sent).toEqual([])
  })

  test.each([
    ['no return', post('')],
    ['a forged return', post(final.replace(/control=\w{4}/, 'control=0000'))],
  ])('is refused in words for a customer if it is %s', async (_what, inbound) => {
    const { body } = await shop(status({ status: 'approved' })).handle(inbound)
    expect(body).toBe(
      'This page does not know which payment it is for. Please go back to the shop, and do not pay again before it shows ' +
        'the status of your payment.',
    )
  })

  test.each<readonly [message: string, changes: object]>([
    ['returnUrl must be', { returnUrl: '/pay/3ds' }],
    ['show must be given', { show: undefined }],
    ['client must be', { client: {} }],
    ['deadlineMs must be', { deadlineMs: 0 }],
    ['language must be', { language: 5 }],
    ['nonce must be base64', { nonce: "'" }],
    ['there is no option deadline; did you mean deadlineMs?', { deadline: 5000 }],
  ])('has a handler that refuses wrong options: %s', (message, changes) => {
    const { client } = shop(challenge)
    const make = () =>
      createThreeDsReturnHandler({ client, returnUrl, show: () => redirectTo('/'), ...changes } as never)
    expect(make).toThrow(`A 3-D Secure return: ${message}`)
    expect(make).toThrow(TypeError)
  })

  test.each([
    [{ show: undefined }, 'show must be'],
    [{ client: undefined }, 'client must be'],
    [{ deadlineMs: '5s' }, 'deadlineMs must be'],
    [{ shows: () => redirectTo('/') }, 'shows'],
  ])('has a handler that refuses %o when it is made, not when a customer has paid', (wrong, told) => {
    const { client } = shop(challenge)
    const options = { client, returnUrl, show: () => redirectTo('/'), ...wrong }
    expect(() => Reflect.apply(createThreeDsReturnHandler, undefined, [options])).toThrow(told)
  })

  test('is a 503 if the gateway refuses the shop', async () => {
    const { handle } = shop(json({ type: 'error', 'error-message': 'no' }, 403))
    await expect(handle(post(final))).rejects.toMatchObject({ status: 503, cause: { code: 'AUTH_REJECTED' } })
  })
})

const transId = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e'
const base64url = (message: object) => Buffer.from(JSON.stringify(message)).toString('base64url')
const creq = (threeDSServerTransID?: string) =>
  status({
    status: 'processing',
    'tds-status': 'CReqForm',
    'tds-creq-form-acs-url': 'https://acs.example.com/challenge',
    'tds-creq-form-creq': base64url({ messageType: 'CReq', threeDSServerTransID }),
  })
const cres = (id = transId) => base64url({ threeDSServerTransID: id, messageType: 'CRes', transStatus: 'Y' })
const pareq = status({
  status: 'processing',
  'tds-status': 'PaReqForm',
  'tds-pareq-form-acs-url': 'https://acs.example.com/pareq',
  'tds-pareq-form-pareq': 'eJxV',
  'tds-pareq-form-md': 'M+D1/x==',
})

/** A shop whose customer is on the page of a step, and the value of a field of that page. */
async function asked(step: Exchange, ...then: readonly Exchange[]) {
  const made = shop(step, ...then)
  const { body } = ((await made.client.threeDs.next(order, { returnUrl })) as { page: { body: string } }).page
  const sent = (name: string) =>
    (new RegExp(`name="${name}" value="([^"]+)"`).exec(body)?.[1] ?? '').replaceAll('&amp;', '&')
  const uploads = () =>
    made.transport.sent
      .filter(({ url }) => url.includes('/upload-'))
      .map(({ body: form }) => Object.fromEntries(new URLSearchParams(form)))
  return { ...made, sent, uploads }
}

describe('[F-A6] A customer who has authenticated is found', () => {
  test.each([
    ['blank', () => ''],
    ['cut', (state: string) => state.slice(0, 100)],
    ['replaced', () => 'null'],
    ['in lower case', (state: string) => state.toLowerCase()],
    ['in capitals', (state: string) => state.toUpperCase()],
    ['padded', (state: string) => `${state}==`],
  ])('though the session data comes back %s', async (_how, change) => {
    const { handle, sent, uploads } = await asked(creq(transId), uploaded, status({ status: 'approved' }))
    const threeDSSessionData = change(sent('threeDSSessionData'))
    const answer = await handle(post(new URLSearchParams({ cres: cres(), threeDSSessionData }).toString()))
    expect(answer.headers['location']).toBe('/orders/6768788/approved')
    expect(uploads()).toMatchObject([{ cRes: cres(), orderid: '6768788', 'client-order-id': 'invoice-a' }])
  })

  test('though the CReq names no transaction, while no other customer is asked', async () => {
    const { handle, uploads } = await asked(creq(), uploaded, status({ status: 'approved' }))
    await handle(post(`cres=${cres()}&threeDSSessionData=`))
    expect(uploads()).toHaveLength(1)
  })

  test.each([
    ['lost', () => ''],
    ['escaped as in a page', (query: string) => `cart=7&amp;${query}`],
    ['changed', () => 'tallystick_3ds=7b'],
  ])('though the query of the TermUrl comes back %s', async (_how, change) => {
    const { handle, sent, uploads } = await asked(pareq, uploaded, status({ status: 'approved' }))
    const query = change(new URL(sent('TermUrl')).search.slice(1))
    await handle(post('PaRes=eJzV&MD=M%2BD1%2Fx%3D%3D', query))
    expect(uploads()).toMatchObject([{ paRes: 'eJzV', md: 'M+D1/x==', orderid: '6768788' }])
  })

  test('and a foreign or forged result is uploaded for nobody', async () => {
    const another = 'b2385523-a66c-4907-ac3c-91848e8c0067'
    for (const [step, body] of [
      [creq(transId), `cres=${cres(another)}`],
      [creq(transId), 'cres=eyJhIjoxfQ'],
      [creq(), 'cres=eyJhIjoxfQ'],
      [pareq, 'PaRes=eJzV&MD=M2'],
      [pareq, 'PaRes=eJzV'],
      [pareq, `cres=${cres()}`],
    ] as const) {
      const { handle, uploads } = await asked(step)
      expect(await handle(post(body))).toMatchObject({ status: 400 })
      expect(uploads()).toEqual([])
    }
  })

  test('and of two customers whose CReq names no transaction none is guessed', async () => {
    const { handle, client, uploads } = await asked(
      creq(),
      json({
        type: 'status-response',
        status: 'processing',
        'paynet-order-id': '2',
        'merchant-order-id': 'b',
        'tds-status': 'CReqForm',
        'tds-creq-form-acs-url': 'https://acs.example.com/',
        'tds-creq-form-creq': base64url({}),
      }),
    )
    await client.threeDs.next({ clientOrderId: 'b', orderId: '2' }, { returnUrl })
    expect(await handle(post(`cres=${cres()}`))).toMatchObject({ status: 400 })
    expect(uploads()).toEqual([])
  })
})

describe('[F-A7] A 3DS message', () => {
  const termUrl = (sent: (name: string) => string) => new URL(sent('TermUrl')).search.slice(1)

  test('of 48 KiB is uploaded', async () => {
    const { handle, sent, uploads } = await asked(pareq, uploaded, status({ status: 'approved' }))
    const paRes = 'A'.repeat(49_152)
    await handle(post(`PaRes=${paRes}`, termUrl(sent)))
    expect(uploads()).toMatchObject([{ paRes }])
  })

  test.each([
    ['is longer than a request has room for', `PaRes=${'A'.repeat(49_153)}`],
    ['is longer than a form may be', `PaRes=${'A'.repeat(65_600)}`],
    ['is empty', 'PaRes=&MD=x'],
    ['is missing', 'MD=x'],
  ])('that cannot be uploaded is told at once, and the status is asked for: it %s', async (_what, body) => {
    const alarms: unknown[] = []
    const hear = (told: unknown) => alarms.push(told)
    diagnostics.subscribe(DIAGNOSTICS.alarm, hear)
    const warnings: string[] = []
    const transport = fakeTransport(pareq, pareq, status({ status: 'declined' }))
    const client = createPaymentClient({
      ...merchant,
      baseUrl,
      controlKey: 'key',
      transport,
      clock: skippingClock(),
      onWarning: (text) => warnings.push(text),
    })
    const step = await client.threeDs.next(order, { returnUrl })
    const address = /name="TermUrl" value="([^"]+)"/.exec((step as { page: { body: string } }).page.body)?.[1] ?? ''
    const handle = createThreeDsReturnHandler({
      client,
      returnUrl,
      show: ({ outcome, notUploaded }) => redirectTo(`/${outcome}/${notUploaded?.code ?? 'none'}`),
    })
    const answer = await handle(post(body, new URL(address.replaceAll('&amp;', '&')).search.slice(1)))
    diagnostics.unsubscribe(DIAGNOSTICS.alarm, hear)
    expect(answer.headers['location']).toMatch(/^\/declined\/(?:INVALID_INPUT|none)$/)
    expect(warnings).toEqual([
      expect.stringMatching(/^TDS_UPLOAD_PARES_RESULT of invoice-a: the result of 3-D Secure cannot be uploaded/),
    ])
    expect(alarms).toEqual([
      {
        operation: 'TDS_UPLOAD_PARES_RESULT',
        clientOrderId: 'invoice-a',
        endpointId: '253',
        what: 'three-ds-not-uploaded',
      },
    ])
    expect(transport.sent.every(({ url }) => url.includes('/status/'))).toBe(true)
  })
})
