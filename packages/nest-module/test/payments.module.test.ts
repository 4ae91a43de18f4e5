import 'reflect-metadata'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type INestApplication, Inject, Injectable, Module } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import type { PaymentClient, PaymentOutcome } from '@tallystick/client'
import { afterEach, describe, expect, test } from 'vitest'
import { InjectPayments, PAYMENT_CLIENT, PaymentsModule } from '../src/index.ts'

const LOGIN = 'test-login'
const KEY = 'D5F82EC1-8575-4482-AD89-97X6X0X20X22'
const ORDER = { orderid: '123456789012345', client_orderid: 'inv-77-a' }

@Injectable()
class Checkout {
  readonly payments: PaymentClient

  constructor(@InjectPayments() payments: PaymentClient) {
    this.payments = payments
  }
}

const apps: INestApplication[] = []
const gateways: Server[] = []
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
  for (const gateway of gateways.splice(0)) gateway.close().closeAllConnections()
})

/** A gateway that knows one approved order. */
async function startGateway(): Promise<string> {
  const server = createServer((_request, response) => {
    const reply = { type: 'status-response', status: 'approved', amount: '10.42', 'paynet-order-id': ORDER.orderid }
    response.setHeader('content-type', 'application/vnd.pay+json').end(JSON.stringify(reply))
  })
  gateways.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/paynet`
}

async function startApp(prefix?: string) {
  const outcomes: PaymentOutcome[] = []
  const baseUrl = await startGateway()
  @Module({
    imports: [
      PaymentsModule.forRoot({
        client: { baseUrl, login: LOGIN, controlKey: KEY, endpointId: '253' },
        callbacks: { path: 'payments/callback', onOutcome: (outcome) => void outcomes.push(outcome) },
      }),
    ],
    providers: [Checkout],
  })
  class AppModule {}
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile()
  const app = module.createNestApplication({ logger: false })
  if (prefix !== undefined) app.setGlobalPrefix(prefix)
  apps.push(app.enableShutdownHooks())
  await app.listen(0, '127.0.0.1')
  return { app, outcomes, url: `${await app.getUrl()}/${prefix === undefined ? '' : `${prefix}/`}payments/callback` }
}

function callback(status: string): URLSearchParams {
  const control = createHash('sha1').update(`${status}${ORDER.orderid}${ORDER.client_orderid}${KEY}`).digest('hex')
  return new URLSearchParams({ status, ...ORDER, control })
}

describe('a Nest app with the payments module', () => {
  test('gets the client by injection', async () => {
    const { app } = await startApp()
    const { payments } = app.get(Checkout)
    expect(payments).toBe(app.get(PAYMENT_CLIENT))
    expect(await payments.status({ clientOrderId: 'inv-77-a' })).toMatchObject({ status: 'approved' })
  })

  test('[G6-01] hears of an outcome by GET and by POST, through its default body parsers', async () => {
    const { outcomes, url } = await startApp()
    expect((await fetch(`${url}?${callback('approved')}`)).status).toBe(200)
    expect((await fetch(url, { method: 'POST', body: callback('approved') })).status).toBe(200)
    expect(outcomes).toMatchObject([
      { status: 'approved', clientOrderId: 'inv-77-a', reply: { amount: '10.42' } },
      { status: 'approved' },
    ])
  })

  test('refuses a forged callback with 403, and answers other methods with 405', async () => {
    const { outcomes, url } = await startApp()
    const forged = callback('approved')
    forged.set('control', '0'.repeat(40))
    expect((await fetch(`${url}?${forged}`)).status).toBe(403)
    const put = await fetch(url, { method: 'PUT', body: callback('approved') })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect(outcomes).toEqual([])
  })

  test('keeps its global prefix before the route', async () => {
    const { url } = await startApp('shop')
    expect((await fetch(`${url}?${callback('approved')}`)).status).toBe(200)
  })

  test('mounts no route without callbacks, and can share the client with every module', async () => {
    @Injectable()
    class Elsewhere {
      readonly payments: PaymentClient

      constructor(@Inject(PAYMENT_CLIENT) payments: PaymentClient) {
        this.payments = payments
      }
    }
    @Module({ providers: [Elsewhere] })
    class OtherModule {}
    const client = { baseUrl: 'http://127.0.0.1:1', login: LOGIN, controlKey: KEY, endpointId: '253' }
    const payments = PaymentsModule.forRoot({ client, global: true })
    const module = await Test.createTestingModule({ imports: [payments, OtherModule] }).compile()
    expect(payments.controllers).toEqual([])
    expect(module.get(Elsewhere, { strict: false }).payments).toBe(module.get(PAYMENT_CLIENT))
    await module.close()
  })

  test('does not start with a bad key', () => {
    const client = { baseUrl: 'http://127.0.0.1:1', login: LOGIN, controlKey: KEY, endpointId: '253' }
    expect(() => PaymentsModule.forRoot({ client: { ...client, controlKey: '' } })).toThrow(/controlKey/)
    expect(() => PaymentsModule.forRoot({ client: { ...client, privateKey: 'no key' } })).toThrow(/PEM/)
  })
})
