import { describe, expect, test } from 'vitest'
import { SAFE } from '../support/safe-headers.ts'
import { CARD, fieldsOf, form, post, SALE, SHOP, sale, status } from '../support/signed-requests.ts'
import { testGateway } from '../support/test-gateway.ts'

const { gateway } = testGateway()

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

describe('method and path', () => {
  test.for(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'post'])(
    '[S4-01] %s is answered 405 with the method that is allowed',
    async (method) => {
      const reply = await gateway.handle({ ...sale(), method })
      expect([reply.status, reply.headers['allow']]).toEqual([405, 'POST'])
      expect(fieldsOf(reply)['error-message']).toContain('POST')
    },
  )

  test.for([
    '/paynet/api/v2/sail/1111',
    '/paynet/api/v3/sale/1111',
    '/paynet/api/v2/sale',
    '/paynet/api/v2/sale/',
    '/paynet/api/v2/sale/1111/',
    '/paynet/api/v2/sale/1111/void',
    '/paynet//api/v2/sale/1111',
    '/paynet/api/v2/../v2/sale/1111',
    '/paynet/api/v2/sal%65/1111',
    '/paynet',
    '/paynet/',
    '/',
    '',
    '*',
  ])('%s is an address of nothing: 404', async (url) => {
    const reply = await gateway.handle({ ...sale(), url })
    expect([reply.status, fieldsOf(reply)['error-code']]).toEqual([404, '5'])
  })

  test.for([
    ['/api/v2/sale/1111', 'addresses of this gateway begin with /paynet/api/'],
    ['/paynet/api/v2/sale/1111/', 'it ends with a slash'],
    ['/paynet/api/v2/sail/1111?x=/', 'check path and endpoint id'],
  ])('says what is wrong with %s: %s', async ([url = '', words]) => {
    expect(fieldsOf(await gateway.handle({ ...sale(), url }))['error-message']).toContain(words)
  })

  test.for(['0', '01', '-1', '1.0', '1e3', 'abc', '１１１１', '%31', '9223372036854775808', '1'.repeat(20)])(
    '[S4-02] [S2-01] %s is no endpoint id: 404',
    async (id) => {
      expect(await gateway.handle({ ...sale(), url: `/paynet/api/v2/sale/${id}` })).toMatchObject({ status: 404 })
    },
  )

  test('[S2-01] [G13-27] the largest int64 is an endpoint id, told from its neighbours', async () => {
    const { controlKey } = SHOP
    const endpoints = [{ id: 9_223_372_036_854_775_807n }, { id: '9223372036854775806' }]
    const { gateway } = testGateway({ merchants: [{ login: 'shop', controlKey, endpoints }] })
    const reply = await gateway.handle(sale({}, { ...SHOP, endpointId: '9223372036854775807' }))
    expect(fieldsOf(reply)).toMatchObject({ type: 'async-response', 'end-point-id': '9223372036854775807' })
  })

  test('an endpoint group is addressed, yet none is configured: 403', async () => {
    expect(await gateway.handle({ ...sale(), url: '/paynet/api/v2/sale/group/1111' })).toMatchObject({ status: 403 })
  })

  test('[G12-01] make-rebill is served under all three of its names', async () => {
    for (const name of ['make-rebill', 'make-rebill-sale', 'make-rebill-preauth']) {
      expect(await gateway.handle(post(`/api/v2/${name}/1111`, 'a=1'))).toMatchObject({ status: 403 })
    }
    expect(await gateway.handle(post('/api/v2/make-rebill-void/1111', 'a=1'))).toMatchObject({ status: 404 })
  })

  test.for([
    ['https://gate.example.com', '', '/paynet'],
    ['https://gate.example.com/', '', '/paynet'],
    ['https://gate.example.com/checkout/', '/checkout', ''],
    ['https://gate.example.com/a/b', '/a/b', '/a'],
  ] as const)(
    '[S1-01] [G1-01] below %s the paths begin with "%s", and with nothing else',
    async ([publicUrl, prefix, other]) => {
      const { gateway } = testGateway({ publicUrl })
      const at = (base: string) => gateway.handle({ ...sale(), url: `${base}/api/v2/sale/1111` })
      expect(await at(prefix)).toMatchObject({ status: 200 })
      expect(await at(other)).toMatchObject({ status: 404 })
    },
  )
})

describe('the header Accept', () => {
  const accepting = (accept: string | readonly string[] | undefined) => {
    const request = sale()
    return gateway.handle({ ...request, headers: { ...request.headers, accept } })
  }

  test.for([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/vnd.pay',
    'text/html, application/json',
    'application/vnd.pay+json;q=0',
    'application/vnd.pay+json ; charset=utf-8 ; Q=0.000',
    'text/html, application/vnd.pay+json;q=0.0, */*',
  ])('[S4-03] %s is refused by the name of the header and what it must be', async (accept) => {
    const reply = await accepting(accept)
    expect(reply.status).toBe(400)
    expect(reply.headers['content-type']).toBe('application/vnd.pay+json')
    expect(fieldsOf(reply)['error-message']).toMatch(/Accept .*application\/vnd\.pay\+json/)
  })

  test.for<string | string[]>([
    'application/vnd.pay+json',
    'Application/Vnd.Pay+JSON',
    'application/vnd.pay+json; charset=utf-8',
    'text/html, application/vnd.pay+json;q=0.9, */*;q=0.1',
    'application/vnd.pay+json;q=0.001',
    '*/*;q=0, application/vnd.pay+json',
    'application/vnd.pay+json;eq=0',
    ['text/html', 'application/vnd.pay+json'],
  ])('[S4-03] %s is accepted', async (accept) => {
    expect(await accepting(accept)).toMatchObject({ status: 200 })
  })
})

describe('the body', () => {
  const withType = (type: string | readonly string[] | undefined) => {
    const request = sale()
    return gateway.handle({ ...request, headers: { ...request.headers, 'content-type': type } })
  }

  test.for<string | string[] | undefined>([
    undefined,
    '',
    'application/json',
    'multipart/form-data; boundary=x',
    'text/plain; application/x-www-form-urlencoded',
    ['application/x-www-form-urlencoded', 'application/json'],
  ])('[S4-04] [S5.2-04] of type %s is refused with 415', async (type) => {
    const reply = await withType(type)
    expect(reply.status).toBe(415)
    expect(fieldsOf(reply)['error-message']).toContain('application/x-www-form-urlencoded')
  })

  test('[S4-04] may say its charset, and its type in any case', async () => {
    expect(await withType('Application/X-WWW-Form-URLEncoded; charset=UTF-8')).toMatchObject({ status: 200 })
  })

  test.for(['', '&', '&&&'])('[S4-05] of nothing ("%s") is refused with 400', async (body) => {
    const reply = await gateway.handle({ ...sale(), body })
    expect(reply.status).toBe(400)
    expect(fieldsOf(reply)['error-message']).toContain('empty')
  })

  test('[G13-07] may have 64 KiB and no byte more', async () => {
    const { body } = sale({ client_orderid: 'large', filler: '' })
    const [before = '', after = ''] = body.split('filler=')
    const filled = (bytes: number) => `${before}filler=${'x'.repeat(bytes - body.length)}${after}`
    expect(await gateway.handle({ ...sale(), body: filled(65_536) })).toMatchObject({ status: 200 })
    expect(await gateway.handle({ ...sale(), body: filled(65_537) })).toMatchObject({ status: 413 })
  })

  test('[G13-07] may have 200 pairs and not one more', async () => {
    const { body } = sale({ client_orderid: 'wide' })
    const extra = (pairs: number) => Array.from({ length: pairs - body.split('&').length }, (_, at) => `&x${at}=`)
    expect(await gateway.handle({ ...sale(), body: body + extra(200).join('') })).toMatchObject({ status: 200 })
    const reply = await gateway.handle({ ...sale(), body: body + extra(201).join('') })
    expect(reply.status).toBe(400)
    expect(fieldsOf(reply)['error-message']).toContain('200')
  })

  test.for([
    ['a cut percent escape', '&x=%4'],
    ['a percent escape that is none', '&x=%GG'],
    ['bytes that are not UTF-8', '&x=%FF'],
    ['a lone surrogate in UTF-8', '&x=%ED%A0%80'],
    ['raw bytes beyond ASCII', '&x=\u00e4'],
    ['a value without a name', '&=1'],
    ['a field twice', '&amount=10.42'],
    ['a field twice under two of its names', '&client-order-id=inv-2'],
    ['a control twice', `&control=${'0'.repeat(40)}`],
  ])('with %s is refused with 400 and quoted nowhere', async ([, more]) => {
    const request = sale()
    const reply = await gateway.handle({ ...request, body: request.body + more })
    expect([reply.status, fieldsOf(reply)['error-code']]).toEqual([400, '1'])
    expect(reply.body).not.toContain(more?.slice(1))
  })
})

describe('every reply', () => {
  const requests = {
    'a success': sale({ client_orderid: 'every-reply' }),
    'a refusal': status({ client_orderid: 'nobody' }),
    'wrong fields': sale({ city: '' }),
    'a bad signature': { ...sale(), body: form({ ...SALE, ...CARD }) },
    'no operation': post('/api/v2/sail/1', 'a=1'),
    'no POST': { ...sale(), method: 'GET' },
    'no Accept': { ...sale(), headers: {} },
  }

  test.for(Object.entries(requests))(
    '[S4-06] [G13-11] %s: JSON, neither to be stored nor shown, with a number of its own',
    async ([, request]) => {
      const replies = [await gateway.handle(request), await gateway.handle(request)]
      const numbers = replies.map((reply) => fieldsOf(reply)['serial-number'] ?? '')
      for (const { headers } of replies) {
        expect(headers).toMatchObject({ ...SAFE, 'content-type': 'application/vnd.pay+json' })
      }
      for (const number of numbers) expect(number).toMatch(UUID)
    },
  )

  test('[G13-11] [G9-02] each answer has a serial number of its own, but for the repeat of a sale', async () => {
    const others = Object.entries(requests).filter(([name]) => name !== 'a success')
    const replies = await Promise.all([...others, ...others].map(([, request]) => gateway.handle(request)))
    expect(new Set(replies.map((reply) => fieldsOf(reply)['serial-number'])).size).toBe(12)
  })

  test('[G2.1-03] [G2.2-01] is a flat object of texts', async () => {
    await gateway.handle(sale({ client_orderid: 'flat' }))
    await gateway.settled()
    const reply = await gateway.handle(status({ client_orderid: 'flat' }))
    const values: unknown[] = Object.values(JSON.parse(reply.body) as object)
    expect(values.length).toBeGreaterThan(10)
    expect(values.filter((value) => typeof value !== 'string')).toEqual([])
  })
})
