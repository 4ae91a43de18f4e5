import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type AuthenticationResult,
  createPaymentClient,
  type Exchange,
  type Inbound,
  type PaymentClient,
  type ThreeDsStep,
} from '../../src/index.ts'
import { standingClock, steppedClock } from '../clocks.ts'
import { fakeTransport, json, lost } from '../fake-transport.ts'
import { baseUrl, merchant, merchantClient } from '../merchant.ts'

/** Shapes as gaps parts 8 and 13 record them. */
const ids = { 'paynet-order-id': '6768788', 'merchant-order-id': 'invoice-a' }
const order = { clientOrderId: 'invoice-a', orderId: '6768788' }
const returnUrl = 'https://shop.example.com/pay/return?cart=7'
const transId = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e'

const status = (fields: Readonly<Record<string, string>>): Exchange =>
  json({ type: 'status-response', ...ids, ...fields })
const processing = status({ status: 'processing' })
const approved = status({ status: 'approved' })
const method = status({
  status: 'processing',
  'tds-status': 'MethodUrlFrame',
  'tds-method-url-frame-3ds-method-url': 'https://acs.example.com/method?a=1&b=2',
  'tds-method-url-frame-3ds-server-trans-id': transId,
})
const methodWithoutUrl = status({
  status: 'processing',
  'tds-status': 'MethodUrlFrame',
  'tds-method-url-frame-3ds-server-trans-id': transId,
})
const challenge = status({
  status: 'processing',
  'tds-status': 'CReqForm',
  'tds-creq-form-acs-url': 'https://acs.example.com/challenge',
  'tds-creq-form-creq': 'eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ',
  'tds-creq-form-three-ds-session-data': 'c2Vzc2lvbg',
})
const pareq = status({
  status: 'processing',
  'tds-status': 'PaReqForm',
  'tds-pareq-form-acs-url': 'https://acs.example.com/pareq',
  'tds-pareq-form-pareq': 'eJxVUm1v2jAQ',
  'tds-pareq-form-md': 'BB4A51"><script>',
})
const uploaded = json({ type: 'async-response', ...ids })

function shop(...exchanges: readonly Exchange[]) {
  const transport = fakeTransport(...exchanges)
  const client = createPaymentClient({ ...merchant, baseUrl, transport, clock: standingClock(0) })
  const sentTo = (path: string) =>
    transport.sent
      .filter(({ url }) => url.includes(path))
      .map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
  return { transport, client, sentTo }
}

function pageOf(step: ThreeDsStep): string {
  if (step.step === 'none') throw new Error('there is no step')
  return step.page.body
}

/** The hidden fields of a form of a page, as a browser would post them. */
function fieldsOf(page: string, formId: string): Record<string, string> {
  const form = new RegExp(`<form id="${formId}".*?</form>`, 's').exec(page)?.[0] ?? ''
  const inputs = [...form.matchAll(/<input type="hidden"(?: id="\w+")? name="([^"]*)" value="([^"]*)">/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescaped(value)]))
}

function actionOf(page: string, formId: string): string {
  return unescaped(new RegExp(`<form id="${formId}" method="post" action="([^"]*)"`).exec(page)?.[1] ?? '')
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function posted(url: string, fields: Readonly<Record<string, string>>): Inbound {
  return { method: 'POST', query: new URL(url).search.slice(1), body: new URLSearchParams(fields).toString() }
}

function nextOf(taken: AuthenticationResult): ThreeDsStep {
  if (taken.taken === 'step' || taken.taken === 'return') return taken.next
  throw new Error(`nothing follows ${taken.taken}`)
}

/** The customer's browser comes back from the page of the method step. */
async function methodReturned(client: PaymentClient): Promise<Inbound> {
  const page = pageOf(await client.threeDs.next(order, { returnUrl }))
  return posted(actionOf(page, 'go'), { methodCompletion: 'Y' })
}

describe('[G8-01] next polls the status until there is a step or an outcome', () => {
  test('with a default deadline of 30 seconds, and the last status check a second before', async () => {
    const clock = steppedClock()
    const client = createPaymentClient({ ...merchant, baseUrl, transport: fakeTransport(processing), clock })
    const ended: unknown[] = []
    void client.threeDs.next(order, { returnUrl }).then((step) => ended.push(step))
    await clock.advance(28_999)
    expect(ended).toEqual([])
    await clock.advance(1)
    expect(ended).toMatchObject([{ step: 'none', outcome: { outcome: 'undecided' } }])
  })

  test('a payment without 3DS ends with its outcome', async () => {
    const { client } = shop(processing, processing, approved)
    expect(await client.threeDs.next(order, { returnUrl })).toMatchObject({
      step: 'none',
      outcome: { outcome: 'approved', orderId: '6768788' },
    })
  })

  test('polling goes on after a lost reply, and until the fields of a step are there', async () => {
    const { client, transport } = shop(status({ status: 'processing', 'tds-status': 'CReqForm' }), lost, challenge)
    expect(await client.threeDs.next(order, { returnUrl })).toMatchObject({ step: 'challenge' })
    expect(transport.sent).toHaveLength(3)
  })

  test.each([
    ['a method frame without its transaction', { 'tds-status': 'MethodUrlFrame' }],
    [
      'a method frame of an address, without its transaction',
      { 'tds-status': 'MethodUrlFrame', 'tds-method-url-frame-3ds-method-url': 'https://acs.example.com/' },
    ],
    ['a challenge without creq', { 'tds-status': 'CReqForm', 'tds-creq-form-acs-url': 'https://acs.example.com/' }],
    ['a PaReq without its address', { 'tds-status': 'PaReqForm', 'tds-pareq-form-pareq': 'eJxV' }],
    ['a PaReq form without PaReq', { 'tds-status': 'PaReqForm', 'tds-pareq-form-acs-url': 'https://acs.example.com/' }],
  ])('%s is no step yet', async (_what, fields) => {
    const { client } = shop(status({ status: 'processing', ...fields }), approved)
    expect(await client.threeDs.next(order, { returnUrl })).toMatchObject({ step: 'none' })
  })

  test('a final order has no step, whatever its status still shows', async () => {
    const { client } = shop(status({ status: 'declined', 'redirect-to': 'https://gate.example.com/3ds' }))
    expect(await client.threeDs.next(order, { returnUrl })).toMatchObject({ step: 'none' })
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', '/relative', 'https://user@acs.example.com/'])(
    'a challenge at an address like %s is no step, and gets no form',
    async (address) => {
      const hostile = status({
        status: 'processing',
        'tds-status': 'CReqForm',
        'tds-creq-form-creq': 'e30',
        'tds-creq-form-acs-url': address,
      })
      const { client } = shop(hostile, approved)
      expect(await client.threeDs.next(order, { returnUrl })).toMatchObject({ step: 'none' })
    },
  )

  test("a returnUrl on the developer's machine may be without TLS", async () => {
    const { client } = shop(challenge)
    const next = client.threeDs.next(order, { returnUrl: 'http://localhost:3000/return' })
    expect(await next).toMatchObject({ step: 'challenge' })
  })

  test.each<readonly [message: string, options: object]>([
    ['returnUrl must be', { returnUrl: '/return' }],
    ['returnUrl must be', { returnUrl: 'shop-https://shop.example.com/return' }],
    ['returnUrl must be', { returnUrl: new URL(returnUrl) }],
    ['there is no option deadline; did you mean deadlineMs?', { returnUrl, deadline: 5000 }],
  ])('a wrong option is misuse, and no request is sent: %s', async (message, options) => {
    const { client, transport } = shop(approved)
    await expect(client.threeDs.next(order, options as never)).rejects.toThrow(new RegExp(`^threeDs: ${message}`))
    expect(transport.sent).toEqual([])
  })

  test('a missing order is refused with the name of the missing field', async () => {
    const { client, transport } = shop(approved)
    await expect(client.threeDs.next(undefined as never, { returnUrl })).rejects.toThrow('clientOrderId')
    expect(transport.sent).toEqual([])
  })
})

describe('[G8-03] the challenge', () => {
  test('is a form with creq and session data; the cres that comes back is uploaded, and next goes on', async () => {
    const { client, sentTo } = shop(challenge, uploaded, challenge, approved)
    const step = await client.threeDs.next(order, { returnUrl })
    const page = pageOf(step)
    expect(step.step).toBe('challenge')
    expect(actionOf(page, 'go')).toBe('https://acs.example.com/challenge')
    const { creq, threeDSSessionData = '' } = fieldsOf(page, 'go')
    expect(creq).toBe('eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ')
    expect(threeDSSessionData).toMatch(/^[\w-]{1,1024}$/)
    const taken = await client.threeDs.take(posted(returnUrl, { cres: 'eyJDUmVz', threeDSSessionData }), { returnUrl })
    expect(taken).toMatchObject({ taken: 'step', ...order, upload: { outcome: 'accepted' } })
    expect(sentTo('upload-cres-result')).toMatchObject([
      { 'client-order-id': 'invoice-a', orderid: '6768788', cRes: 'eyJDUmVz' },
    ])
    expect(sentTo('/status/').at(-1)).toMatchObject({ client_orderid: 'invoice-a', orderid: '6768788' })
    // The status showed the same challenge once more; the customer did not see it again.
    expect(nextOf(taken)).toMatchObject({ step: 'none', outcome: { outcome: 'approved' } })
  })

  test('is shown again if the upload got no answer and the gateway still waits for it', async () => {
    const { client } = shop(challenge, lost, challenge)
    const { threeDSSessionData = '' } = fieldsOf(pageOf(await client.threeDs.next(order, { returnUrl })), 'go')
    const taken = await client.threeDs.take(posted(returnUrl, { CRes: 'eyJDUmVz', threeDSSessionData }), { returnUrl })
    expect(taken).toMatchObject({ upload: { outcome: 'unknown' }, next: { step: 'challenge' } })
  })

  test('is refused without a request if its session data is of another merchant, changed, cut or absent', async () => {
    const { client, transport } = shop(challenge)
    const { threeDSSessionData = '' } = fieldsOf(pageOf(await client.threeDs.next(order, { returnUrl })), 'go')
    const stranger = createPaymentClient({ ...merchant, controlKey: 'another key', baseUrl, transport })
    const changed = `${threeDSSessionData.startsWith('e') ? 'f' : 'e'}${threeDSSessionData.slice(1)}`
    const cres = 'eyJDUmVz'
    for (const [asked, state] of [
      [stranger, threeDSSessionData],
      [client, changed],
      [client, threeDSSessionData.slice(0, -1)],
      [client, ''],
      [client, 'c2Vzc2lvbg'],
    ] as const) {
      const taken = await asked.threeDs.take(posted(returnUrl, { cres, threeDSSessionData: state }), { returnUrl })
      expect(taken).toMatchObject({ taken: 'nothing', page: { status: 400 } })
    }
    expect(transport.sent).toHaveLength(1)
  })

  test('is still accepted if its session data was made under the previous keys', async () => {
    const { client } = shop(challenge, uploaded, approved)
    const { threeDSSessionData = '' } = fieldsOf(pageOf(await client.threeDs.next(order, { returnUrl })), 'go')
    const { merchantCredentials } = await import('../../src/index.ts')
    client.useCredentials(merchantCredentials({ login: 'test-login', controlKey: 'the next key' }))
    const taken = await client.threeDs.take(posted(returnUrl, { cres: 'eyJD', threeDSSessionData }), { returnUrl })
    expect(taken).toMatchObject({ taken: 'step', next: { step: 'none' } })
  })
})

describe('[G8-03] PaReq', () => {
  test('goes with MD and TermUrl, escaped; PaRes and MD that come back are uploaded', async () => {
    const { client, sentTo } = shop(pareq, uploaded, approved)
    const page = pageOf(await client.threeDs.next(order, { returnUrl }))
    expect(page).not.toContain('BB4A51">')
    const { PaReq, MD, TermUrl = '' } = fieldsOf(page, 'go')
    expect([PaReq, MD]).toEqual(['eJxVUm1v2jAQ', 'BB4A51"><script>'])
    expect(TermUrl.startsWith('https://shop.example.com/pay/return?cart=7&')).toBe(true)
    const taken = await client.threeDs.take(posted(TermUrl, { PaRes: 'eJzVWFmv', MD: 'BB4A51' }), { returnUrl })
    expect(taken).toMatchObject({ taken: 'step', next: { step: 'none' } })
    expect(sentTo('upload-pares-result')).toMatchObject([{ paRes: 'eJzVWFmv', md: 'BB4A51', orderid: '6768788' }])
  })
})

describe('[G8-02] the method frame', () => {
  test('posts threeDSMethodData in base64url, with a notification address of the shop', async () => {
    const page = pageOf(await shop(method).client.threeDs.next(order, { returnUrl }))
    expect(actionOf(page, 'frame')).toBe('https://acs.example.com/method?a=1&b=2')
    const { threeDSMethodData = '' } = fieldsOf(page, 'frame')
    expect(threeDSMethodData).toMatch(/^[\w-]+$/)
    const data = JSON.parse(Buffer.from(threeDSMethodData, 'base64url').toString())
    expect(data.threeDSServerTransID).toBe(transId)
    // Issuers take 256 characters: our state is not in it.
    expect(data.threeDSMethodNotificationURL).toBe(returnUrl)
  })

  test('[S8-01] waits 10 seconds, or as long as the profile says, and is N without a notice', async () => {
    const page = pageOf(await shop(method).client.threeDs.next(order, { returnUrl }))
    expect(page).toContain("setTimeout(()=>go('N'),10000)")
    const patient = merchantClient(fakeTransport(method), { threeDsMethodWaitSeconds: 12 })
    expect(pageOf(await patient.threeDs.next(order, { returnUrl }))).toContain("setTimeout(()=>go('N'),12000)")
    expect(page).toContain('<input type="hidden" id="completed" name="methodCompletion" value="N">')
  })

  test('is answered by a page that notifies the page around it, if that is of this origin', async () => {
    const { client, transport } = shop(method)
    const page = pageOf(await client.threeDs.next(order, { returnUrl }))
    expect(actionOf(page, 'go')).not.toBe(returnUrl)
    const notice = posted(returnUrl, { threeDSMethodData: 'eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjEifQ' })
    const taken = await client.threeDs.take(notice, { returnUrl })
    expect(taken).toMatchObject({ taken: 'frame', page: { status: 200 } })
    expect(taken.taken === 'frame' && taken.page.body).toContain(
      'parent.postMessage("tallystick-3ds-method-completed","https://shop.example.com")',
    )
    expect(transport.sent).toHaveLength(1)
  })

  test.each([
    ['Y', 'Y'],
    ['N', 'N'],
    ['anything', 'N'],
  ])('with %s is uploaded as %s, with what is known about the browser', async (methodCompletion, told) => {
    const { client, sentTo } = shop(method, uploaded, challenge)
    const page = pageOf(await client.threeDs.next(order, { returnUrl }))
    const script = {
      browserJavascriptEnabled: 'true',
      browserJavaEnabled: 'false',
      browserLanguage: 'de-DE',
      browserColorDepth: '24',
      browserScreenWidth: '1920',
      browserScreenHeight: '1080',
      browserTimeZone: '-60',
    }
    const headers = { Accept: 'text/html', 'User-Agent': 'Firefox' }
    const inbound = posted(actionOf(page, 'go'), { ...fieldsOf(page, 'go'), ...script, methodCompletion })
    const taken = await client.threeDs.take(inbound, { returnUrl, headers, customerIp: '203.0.113.7' })
    expect(nextOf(taken)).toMatchObject({ step: 'challenge' })
    expect(sentTo('upload-method-url-result')).toMatchObject([
      {
        threeDSCompInd: told,
        threeDSServerTransID: transId,
        browserAcceptHeader: 'text/html',
        browserUserAgent: 'Firefox',
        browserIP: '203.0.113.7',
        browserJavascriptEnabled: 'true',
        browserJavaEnabled: 'false',
        browserLanguage: 'de-DE',
        browserColorDepth: '24',
        browserScreenWidth: '1920',
        browserScreenHeight: '1080',
        browserTZ: '-60',
      },
    ])
  })

  test.each(['203.0.113.7:4711', 'unknown', 'fe80::1%eth0', ''])(
    'is uploaded without %s, which is no address',
    async (ip) => {
      const { client, sentTo } = shop(method, uploaded, approved)
      const back = await methodReturned(client)
      const taken = await client.threeDs.take(back, { returnUrl, customerIp: ip })
      expect(taken).toMatchObject({ upload: { outcome: 'accepted' }, next: { step: 'none' } })
      expect(sentTo('upload-method')[0]).not.toHaveProperty('browserIP')
    },
  )

  test.each([
    ['sl-rozaj', 'sl-rozaj'],
    ['zh-Hans-CN', 'zh'],
    ['yue-Hant-HK', 'yue'],
    ['nolanguage', 'nolangua'],
  ])('is uploaded with the language %s as %s, within 8 characters', async (browserLanguage, told) => {
    const { client, sentTo } = shop(method, uploaded, approved)
    const { body, ...back } = await methodReturned(client)
    const inbound = { ...back, body: `${body}&browserLanguage=${browserLanguage}` }
    const taken = await client.threeDs.take(inbound, { returnUrl, headers: {} })
    expect(taken).toMatchObject({ upload: { outcome: 'accepted' } })
    expect(sentTo('upload-method')).toMatchObject([{ browserLanguage: told }])
  })

  test('is not shown again if its upload is refused, because its page would come back without end', async () => {
    const refused = json({ type: 'validation-error', 'error-message': 'no', 'error-code': '1' }, 400)
    const { client } = shop(method, refused, method)
    const taken = await client.threeDs.take(await methodReturned(client), { returnUrl, deadlineMs: 1 })
    expect(taken).toMatchObject({ upload: { outcome: 'rejected' }, next: { step: 'none' } })
  })

  test('is not shown again if the browser’s data does not fit', async () => {
    const { client } = shop(method, method)
    const headers = { 'user-agent': '\ud800' }
    const taken = await client.threeDs.take(await methodReturned(client), { returnUrl, deadlineMs: 1, headers })
    expect(taken).toMatchObject({ upload: { error: { code: 'INVALID_INPUT' } }, next: { step: 'none' } })
  })

  test('is uploaded as U at once if the issuer has no method URL', async () => {
    const { client, sentTo } = shop(methodWithoutUrl, uploaded, methodWithoutUrl, challenge)
    expect(await client.threeDs.next(order, { returnUrl })).toMatchObject({ step: 'challenge' })
    expect(sentTo('upload-method-url-result')).toMatchObject([{ threeDSCompInd: 'U', threeDSServerTransID: transId }])
  })

  test.each<readonly [what: string, exchange: Exchange]>([
    ['was lost', { kind: 'lost', seen: 'the connection failed with ECONNRESET' }],
    ['was not sent', { kind: 'not-sent', seen: 'the connection failed with ECONNREFUSED' }],
  ])(
    'is uploaded as U once more if the first upload %s: no browser comes back to repeat it',
    async (_what, exchange) => {
      const { client, sentTo } = shop(methodWithoutUrl, exchange, uploaded, challenge)
      expect(await client.threeDs.next(order, { returnUrl })).toMatchObject({ step: 'challenge' })
      expect(sentTo('upload-method-url-result')).toHaveLength(2)
    },
  )

  test('is not uploaded as U once more if the gateway refuses it', async () => {
    const refusal = json({ type: 'validation-error', 'error-message': 'No', ...ids }, 400)
    const { client, sentTo } = shop(methodWithoutUrl, refusal, challenge)
    expect(await client.threeDs.next(order, { returnUrl })).toMatchObject({ step: 'challenge' })
    expect(sentTo('upload-method-url-result')).toHaveLength(1)
  })
})

describe('[G8-04] the simple redirect', () => {
  const redirect = status({
    status: 'processing',
    'redirect-to': 'https://gate.example.com/3ds/1',
    html: '%3Cp%3Ex%3C%2Fp%3E',
  })

  test('sends the browser to the gateway', async () => {
    expect(await shop(redirect).client.threeDs.next(order, { returnUrl })).toEqual({
      step: 'redirect',
      url: 'https://gate.example.com/3ds/1',
      page: {
        status: 303,
        headers: { location: 'https://gate.example.com/3ds/1', 'cache-control': 'no-store' },
        body: '',
      },
    })
  })

  test.each(['%3Cp%3EOne+moment%3C%2Fp%3E', '<p>One moment</p>'])('shows the page %s, decoded once', async (html) => {
    const step = await shop(status({ status: 'processing', html })).client.threeDs.next(order, { returnUrl })
    expect(pageOf(step)).toBe('<p>One moment</p>')
  })

  test('shows a page that was decoded already, as in the classic format, as it is', async () => {
    const html = '<a href="https://gate.example.com/?q=100%25+1">One + one</a>'
    const step = await shop(status({ status: 'processing', html })).client.threeDs.next(order, { returnUrl })
    expect(pageOf(step)).toBe(html)
  })

  test('shows that page under its own content security policy, which stops neither its script nor its form', async () => {
    const page = '<form action="https://gate.example.com/3ds/1"></form><script>document.forms[0].submit()</script>'
    const step = await shop(status({ status: 'processing', html: page })).client.threeDs.next(order, { returnUrl })
    if (step.step === 'none') throw new Error('there is no step')
    const { 'content-security-policy': policy = '' } = step.page.headers
    expect(policy).not.toBe('')
    expect(policy).not.toMatch(/default-src|script-src|form-action/)
  })

  test('has a return that is verified and then confirmed by status, which may still show the redirect', async () => {
    const { client, sentTo } = shop(redirect, redirect, approved)
    await client.threeDs.next(order, { returnUrl })
    const control = createHash('sha1').update(`declined6768788invoice-a${merchant.controlKey}`).digest('hex')
    const fields = {
      status: 'declined',
      orderid: '6768788',
      client_orderid: 'invoice-a',
      error_message: 'null',
      control,
    }
    const taken = await client.threeDs.take(posted(returnUrl, fields), { returnUrl })
    expect(taken).toMatchObject({ taken: 'return', ...order, next: { step: 'none', outcome: { outcome: 'approved' } } })
    expect(sentTo('/status/').at(-1)).toMatchObject({ client_orderid: 'invoice-a', orderid: '6768788' })
    const forged = await client.threeDs.take(posted(returnUrl, { ...fields, status: 'approved' }), { returnUrl })
    expect(forged).toMatchObject({ taken: 'nothing', page: { status: 403 } })
  })
})

test('a return from the gateway’s own pages is followed by the challenge that the order waits for', async () => {
  const { client } = shop(challenge)
  const control = createHash('sha1').update(`processing6768788invoice-a${merchant.controlKey}`).digest('hex')
  const fields = { status: 'processing', orderid: '6768788', client_orderid: 'invoice-a', control }
  const taken = await client.threeDs.take(posted(returnUrl, fields), { returnUrl })
  expect(nextOf(taken).step).toBe('challenge')
})

test('opening the address of a step again uploads nothing, and goes on with the same order', async () => {
  const { client, sentTo } = shop(pareq, pareq, approved)
  const { TermUrl = '' } = fieldsOf(pageOf(await client.threeDs.next(order, { returnUrl })), 'go')
  const again: Inbound = { method: 'GET', query: new URL(TermUrl).search.slice(1) }
  const taken = await client.threeDs.take(again, { returnUrl })
  expect(taken).toMatchObject({ taken: 'return', ...order, next: { step: 'none', outcome: { outcome: 'approved' } } })
  expect(sentTo('upload')).toEqual([])
  expect(sentTo('/status/').at(-1)).toMatchObject({ client_orderid: 'invoice-a', orderid: '6768788' })
})

describe('The pages', () => {
  test('hold one script under a nonce, work by a button without it, and load nothing', async () => {
    const step = await shop(challenge).client.threeDs.next(order, { returnUrl, nonce: 'bm9uY2U=' })
    if (step.step === 'none') throw new Error('there is no step')
    expect(step.page.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'nonce-bm9uY2U='; form-action http: https:; frame-src http: https:; base-uri 'none'",
    )
    expect(step.page.headers['cache-control']).toBe('no-store')
    expect(step.page.headers['referrer-policy']).toBe('no-referrer')
    expect(step.page.body.match(/<script/g)).toHaveLength(1)
    expect(step.page.body).toContain('<script nonce="bm9uY2U=">')
    expect(step.page.body).toContain('<button>Continue</button></form>')
    expect(step.page.body).toContain('press the button')
    expect(step.page.body).not.toMatch(/ on\w+=|src=/)
  })

  test('each have a new nonce if none is given, and a nonce that would break out is refused', async () => {
    const { client } = shop(challenge)
    const nonceOf = async () => /nonce="(\w+)"/.exec(pageOf(await client.threeDs.next(order, { returnUrl })))?.[1]
    expect(await nonceOf()).not.toBe(await nonceOf())
    for (const nonce of ['"><script>', 'bm9uY2U"><script>', '"><script src=x']) {
      await expect(client.threeDs.next(order, { returnUrl, nonce })).rejects.toThrow('nonce must be base64')
    }
  })

  test('speak the language that they are given, escaped', async () => {
    const texts = { title: 'Bank <b>', wait: 'Einen Moment', proceed: 'Weiter' }
    const page = pageOf(await shop(challenge).client.threeDs.next(order, { returnUrl, language: 'de', texts }))
    expect(page).toContain('<html lang="de">')
    expect(page).toContain('<title>Bank &lt;b&gt;</title>')
    expect(page).toContain('<button>Weiter</button>')
  })

  test('are read in the direction of their words', async () => {
    const page = pageOf(await shop(challenge).client.threeDs.next(order, { returnUrl, language: 'he' }))
    expect(page).toContain('<body dir="auto">')
  })
})

test.each<readonly [what: string, inbound: Inbound]>([
  ['a GET without anything', { method: 'GET', query: '' }],
  ['a form of something else', { method: 'POST', query: '', body: 'a=1' }],
  ['a name that comes twice', { method: 'POST', query: '', body: 'cres=1&cres=2' }],
  ['a body that is too large', { method: 'POST', query: '', body: `cres=${'a'.repeat(100_000)}` }],
])('take takes nothing from %s', async (_what, inbound) => {
  expect(await shop(approved).client.threeDs.take(inbound, { returnUrl })).toMatchObject({ taken: 'nothing' })
})
