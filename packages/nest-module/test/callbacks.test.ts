import {
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Logger,
  type NestInterceptor,
  type PipeTransform,
  SetMetadata,
  UnauthorizedException,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common'
import { APP_GUARD, Reflector } from '@nestjs/core'
import { SkipThrottle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler'
import type { PaymentOutcome } from '@tallystick/client'
import { map, type Observable, tap } from 'rxjs'
import { describe, expect, test, vi } from 'vitest'
import { PaymentsModule, type RouteOptions } from '../src/index.ts'
import { callback, clientOf, ORDER, PLATFORMS, postCallback, startApp } from './support.ts'

describe.each(PLATFORMS)('the callback route on %s', (_platform, adapter) => {
  /** An app with one instance; `path` is `payments/callback`. */
  async function shop(route: Partial<RouteOptions> = {}, options: Parameters<typeof startApp>[2] = {}) {
    const heard: PaymentOutcome[] = []
    const imports = [
      PaymentsModule.forRoot({
        client: await clientOf(),
        callbacks: { path: 'payments/callback', ...route, onOutcome: (outcome) => void heard.push(outcome) },
      }),
    ]
    const { url, app } = await startApp(adapter, { imports }, options)
    return { heard, app, url, address: `${url}/payments/callback` }
  }

  test.each([
    ["Nest's parsers", {}],
    ['raw bodies beside them', { rawBody: true }],
    ['no parser', { bodyParser: false }],
  ])('[G6-01] accepts a callback by GET and by POST, with %s', async (_name, options) => {
    const { heard, address } = await shop({}, options)
    expect((await fetch(`${address}?${callback()}`)).status).toBe(200)
    expect(await postCallback(address)).toBe(200)
    const told = { status: 'approved', clientOrderId: ORDER.client_orderid, reply: { amount: '10.42' } }
    expect(heard).toMatchObject([told])
  })

  test('answers a wrong control with 403, a request that is no callback with 400, another method with 405', async () => {
    const { heard, address } = await shop()
    expect(await postCallback(address, callback('approved', 'a wrong key'))).toBe(403)
    expect(await postCallback(address, new URLSearchParams({ status: 'approved' }))).toBe(400)
    expect(await postCallback(address, new URLSearchParams([...callback(), ['status', 'declined']]))).toBe(400)
    const put = await fetch(address, { method: 'PUT', body: callback() })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect(heard).toEqual([])
  })

  test('does not change the answers of other routes when it adds a parser for forms', async () => {
    const { url } = await shop({}, { bodyParser: false })
    expect((await fetch(`${url}/elsewhere`, { method: 'POST', body: callback() })).status).toBe(404)
  })

  test('is below the global prefix, unless that excludes it', async () => {
    const below = await shop({}, { prepare: (app) => void app.setGlobalPrefix('shop') })
    expect(await postCallback(`${below.url}/shop/payments/callback`)).toBe(200)
    const exclude = ['payments/callback']
    const beside = await shop({}, { prepare: (app) => void app.setGlobalPrefix('shop', { exclude }) })
    expect(await postCallback(beside.address)).toBe(200)
  })

  test('has the default version of the app, unless its own is set or neutral', async () => {
    const prepare = (app: INestApplication) =>
      void app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' })
    const versioned = await shop({}, { prepare })
    expect(await postCallback(versioned.address)).toBe(404)
    expect(await postCallback(`${versioned.url}/v1/payments/callback`)).toBe(200)
    const second = await shop({ version: '2' }, { prepare })
    expect(await postCallback(`${second.url}/v2/payments/callback`)).toBe(200)
    const neutral = await shop({ version: VERSION_NEUTRAL }, { prepare })
    expect(await postCallback(neutral.address)).toBe(200)
  })

  test('is found without a version header if its version is neutral', async () => {
    const prepare = (app: INestApplication) =>
      void app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version', defaultVersion: '1' })
    expect(await postCallback((await shop({}, { prepare })).address)).toBe(404)
    expect(await postCallback((await shop({ version: VERSION_NEUTRAL }, { prepare })).address)).toBe(200)
  })

  test('is behind global guards, unless its controller has the decorator that they look for', async () => {
    const IS_PUBLIC = 'is public'
    const reflector = new Reflector()
    class OnlyCustomers implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        if (reflector.getAllAndOverride(IS_PUBLIC, [context.getHandler(), context.getClass()])) return true
        throw new UnauthorizedException()
      }
    }
    const prepare = (app: INestApplication) => void app.useGlobalGuards(new OnlyCustomers())
    const guarded = await shop({}, { prepare })
    expect(await postCallback(guarded.address)).toBe(401)
    expect(guarded.heard).toEqual([])
    const open = await shop({ decorators: [SetMetadata(IS_PUBLIC, true)] }, { prepare })
    expect(await postCallback(open.address)).toBe(200)
  })

  test('is counted separately by throttlers, unless it opts out', async () => {
    const throttled = async (decorators: readonly ClassDecorator[]) => {
      const instance = async (name: string) =>
        PaymentsModule.forRoot({
          name,
          client: await clientOf(),
          callbacks: { path: name, decorators, onOutcome: () => {} },
        })
      const imports = [ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1 }]), await instance('eu'), await instance('us')]
      const providers = [{ provide: APP_GUARD, useClass: ThrottlerGuard }]
      const { url } = await startApp(adapter, { imports, providers })
      const paths = ['eu', 'us', 'eu', 'us']
      const statuses: number[] = []
      for (const path of paths) statuses.push(await postCallback(`${url}/${path}`))
      return statuses
    }
    expect(await throttled([])).toEqual([200, 200, 429, 429])
    expect(await throttled([SkipThrottle()])).toEqual([200, 200, 200, 200])
  })

  test('runs within global pipes and interceptors, which cannot change its answer', async () => {
    const seen: string[] = []
    class Refusing implements PipeTransform {
      transform(): never {
        throw new TypeError('not for requests as a whole')
      }
    }
    class Wrapping implements NestInterceptor {
      intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
        seen.push(context.getClass().name)
        return next.handle().pipe(
          map((data) => ({ data })),
          tap(() => seen.push('answered')),
        )
      }
    }
    const prepare = (app: INestApplication) => {
      app.useGlobalPipes(new Refusing())
      app.useGlobalInterceptors(new Wrapping())
    }
    const { address } = await shop({}, { prepare })
    const reply = await fetch(address, { method: 'POST', body: callback() })
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'OK',
    ])
    expect(seen).toEqual(['PaymentCallbacks(default)', 'answered'])
  })

  test('sends nothing if an interceptor has answered already', async () => {
    class Impatient implements NestInterceptor {
      intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
        const response = context.switchToHttp().getResponse()
        ;(response.raw ?? response).writeHead(202).end('later')
        return next.handle()
      }
    }
    const prepare = (app: INestApplication) => void app.useGlobalInterceptors(new Impatient())
    const { address, heard, app } = await shop({}, { prepare })
    expect(await postCallback(address)).toBe(202)
    // A closing app waits for the requests that it is answering.
    await app.close()
    expect(heard).toHaveLength(1)
  })
})

describe.each(PLATFORMS)('what a listener throws on %s', (_platform, adapter) => {
  test('becomes a 503 that says nothing of the internals, and the log has the cause', async () => {
    const logged: unknown[] = []
    const spy = vi.spyOn(Logger.prototype, 'error').mockImplementation((...what) => void logged.push(...what))
    const onOutcome = () => {
      throw new TypeError('the database is down')
    }
    const imports = [PaymentsModule.forRoot({ client: await clientOf(), callbacks: { path: 'cb', onOutcome } })]
    const { url } = await startApp(adapter, { imports })
    const reply = await fetch(`${url}/cb?${callback()}`)
    expect([reply.status, await reply.json()]).toEqual([503, { statusCode: 503, message: 'Service Unavailable' }])
    expect(logged).toMatchObject([{ status: 503, cause: { message: 'the database is down' } }])
    spy.mockRestore()
  })
})

test('a failed status check is logged, because the gateway only sees a 503', async () => {
  const warned: unknown[] = []
  const spy = vi.spyOn(Logger.prototype, 'warn').mockImplementation((...what) => void warned.push(...what))
  const refused = { type: 'error', status: undefined, 'paynet-order-id': undefined, 'error-message': 'bad login' }
  const client = await clientOf(refused, 403)
  const imports = [PaymentsModule.forRoot({ client, callbacks: { path: 'cb', onOutcome: () => {} } })]
  const { url } = await startApp(PLATFORMS[0]?.[1] ?? expect.fail(), { imports })
  expect(await postCallback(`${url}/cb`)).toBe(503)
  expect(warned).toEqual([
    expect.stringMatching(/^default: no status of order inv-77-a \(123456789012345\): AUTH_REJECTED /),
  ])
  spy.mockRestore()
})
