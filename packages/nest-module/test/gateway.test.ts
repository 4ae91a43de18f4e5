import {
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  Scope,
  SetMetadata,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { createPaymentClient } from '@tallystick/client'
import type { GatewayReply, GatewayRequest } from '@tallystick/core/internal'
import { saleInput, startGateway } from '@tallystick/testing'
import { describe, expect, test } from 'vitest'
import { PaymentGatewayModule, type PaymentGatewayModuleOptions } from '../src/index.ts'
import { moduleOf, PLATFORMS, startApp } from './support.ts'

const ok: GatewayReply = { status: 200, headers: { 'content-type': 'application/vnd.pay+json' }, body: '{}' }

describe.each(PLATFORMS)('a gateway mounted on %s', (_platform, adapter) => {
  test.each([
    ["Nest's parsers", {}],
    ['raw bodies beside them', { rawBody: true }],
    ['no parser', { bodyParser: false }],
  ])('accepts a sale and answers its status, with %s', async (_name, options) => {
    const gateway = await startGateway()
    const { handle } = gateway
    const { url } = await startApp(
      adapter,
      { imports: [PaymentGatewayModule.forRoot({ path: 'paynet', gateway: { handle } })] },
      options,
    )
    const client = createPaymentClient({ ...gateway.merchant, baseUrl: `${url}/paynet` })
    const sale = saleInput({ firstName: 'Jürgen & Söhne', amount: '10.42' })
    expect(await client.sale(sale)).toMatchObject({ outcome: 'accepted' })
    await gateway.settled()
    expect(await client.status({ clientOrderId: sale.clientOrderId })).toMatchObject({
      status: 'approved',
      amount: '10.42',
    })
    await client.close()
    await gateway.close()
  })

  /** An app whose gateway records its requests. */
  async function mounted(
    reply: GatewayReply = ok,
    prepare?: (app: INestApplication) => void,
    route: Partial<PaymentGatewayModuleOptions> = {},
  ) {
    const asked: GatewayRequest[] = []
    const gateway = async (request: GatewayRequest) => {
      asked.push(request)
      return reply
    }
    const imports = [PaymentGatewayModule.forRoot({ path: 'paynet', gateway, ...route })]
    const { url } = await startApp(adapter, { imports }, prepare === undefined ? {} : { prepare })
    return { asked, url: `${url}/paynet` }
  }

  test('gets the whole address, the form and each header separately', async () => {
    const { asked, url } = await mounted()
    const body = 'a=1&b=%C3%BC+%26&a=2'
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
    await fetch(`${url}/api/v2/sale/253?x=1%202&x=3`, { method: 'POST', body, headers })
    expect(asked).toMatchObject([
      { method: 'POST', url: '/paynet/api/v2/sale/253?x=1%202&x=3', headers: { 'content-type': expect.any(String) } },
    ])
    expect(new URLSearchParams(asked[0]?.body).getAll('a')).toEqual(['1', '2'])
    expect(new URLSearchParams(asked[0]?.body).get('b')).toBe('ü &')
  })

  test('answers every method at and below its path, and no other path', async () => {
    const { asked, url } = await mounted()
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(`${url}/form/1`, { method: 'DELETE' })).status).toBe(200)
    expect((await fetch(`${url}s/form`)).status).toBe(404)
    expect(asked.map((request) => `${request.method} ${request.url}`)).toEqual(['GET /paynet', 'DELETE /paynet/form/1'])
  })

  test('is below the prefix of the app', async () => {
    const { asked, url } = await mounted(ok, (app) => void app.setGlobalPrefix('shop'))
    expect((await fetch(url)).status).toBe(404)
    expect((await fetch(`${new URL(url).origin}/shop/paynet/api/v2/sale/1`, { method: 'POST' })).status).toBe(200)
    expect(asked).toMatchObject([{ url: '/shop/paynet/api/v2/sale/1' }])
  })

  test('is behind global guards and the version of the app, unless it opts out', async () => {
    const IS_PUBLIC = 'is public'
    const reflector = new Reflector()
    class OnlyCustomers implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        return reflector.getAllAndOverride(IS_PUBLIC, [context.getHandler(), context.getClass()]) === true
      }
    }
    const prepare = (app: INestApplication) => {
      app.useGlobalGuards(new OnlyCustomers())
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' })
    }
    const sell = async ({ url }: { readonly url: string }, version = '') => {
      const { origin } = new URL(url)
      return (await fetch(`${origin}${version}/paynet/api/v2/sale/1`, { method: 'POST' })).status
    }
    const guarded = await mounted(ok, prepare)
    expect([await sell(guarded), await sell(guarded, '/v1'), guarded.asked]).toEqual([404, 403, []])
    const decorators = [SetMetadata(IS_PUBLIC, true)]
    const second = await mounted(ok, prepare, { decorators, version: '2' })
    expect([await sell(second, '/v1'), await sell(second, '/v2')]).toEqual([404, 200])
    expect(second.asked).toMatchObject([{ url: '/v2/paynet/api/v2/sale/1' }])
    const neutral = await mounted(ok, prepare, { decorators, version: VERSION_NEUTRAL })
    expect(await sell(neutral)).toBe(200)
    expect(neutral.asked).toMatchObject([{ url: '/paynet/api/v2/sale/1' }])
  })

  test('answers exactly with its own status, headers and body, and with the headers that the app sets', async () => {
    const headers = { 'content-type': 'application/vnd.pay+json', 'cache-control': 'no-store' }
    const { url } = await mounted({ status: 403, headers, body: '{"type":"error","name":"ü"}' }, (app) => {
      app.enableCors()
    })
    const reply = await fetch(`${url}/api/v2/status/1`, { method: 'POST', headers: { origin: 'https://a.example' } })
    expect(reply.status).toBe(403)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      ...headers,
      'content-length': '28',
      'access-control-allow-origin': '*',
    })
    expect(await reply.text()).toBe('{"type":"error","name":"ü"}')
  })

  test.each(['before-reply', 'within-body'] as const)('cuts the connection %s if a fault demands it', async (cut) => {
    const { url } = await mounted({ ...ok, cut })
    await expect(fetch(`${url}/api/v2/sale/1`, { method: 'POST' }).then((reply) => reply.text())).rejects.toThrow(
      /fetch failed|terminated/,
    )
  })

  test('is created once: one that would be created for each request is refused', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Tenant {}
    const TenantModule = moduleOf({ providers: [Tenant], exports: [Tenant] })
    const imports = [
      PaymentGatewayModule.forRootAsync({
        path: 'one',
        imports: [TenantModule],
        inject: [Tenant],
        useFactory: () => ({ handle: async () => ok }),
      }),
      PaymentGatewayModule.forRoot({ path: 'two', gateway: async () => ok }),
    ]
    const failed = await startApp(adapter, { imports }).catch(String)
    expect(failed).toBe(
      'TypeError: PaymentGateway(one): a gateway is created once, but something injected for it is request-scoped',
    )
  })

  test('is closed with the app, once it has answered; several gateways have paths of their own', async () => {
    const events: string[] = []
    const gatewayOf = (name: string) => ({
      handle: async () => {
        events.push(`asked ${name}`)
        return ok
      },
      close: async () => void events.push(`closed ${name}`),
    })
    const imports = [
      PaymentGatewayModule.forRoot({ path: 'one', gateway: gatewayOf('one') }),
      PaymentGatewayModule.forRootAsync({ path: 'two', useFactory: async () => gatewayOf('two') }),
    ]
    const { app, url } = await startApp(adapter, { imports })
    await fetch(`${url}/one/x`)
    await fetch(`${url}/two/x`)
    await app.close()
    expect(events.slice(0, 2)).toEqual(['asked one', 'asked two'])
    expect(events.slice(2).toSorted()).toEqual(['closed one', 'closed two'])
  })
})
