import 'reflect-metadata'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type INestApplication, Module, type ModuleMetadata, type NestApplicationOptions } from '@nestjs/common'
import type { AbstractHttpAdapter } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { Test, type TestingModuleBuilder } from '@nestjs/testing'
import type { PaymentClientOptions } from '@tallystick/client'
import { afterEach } from 'vitest'

export const KEY = 'D5F82EC1-8575-4482-AD89-97X6X0X20X22'
export const ORDER = { orderid: '123456789012345', client_orderid: 'inv-77-a' }
const LOGIN = 'test-login'

/** The platforms for which every promise of this package holds. */
export const PLATFORMS: ReadonlyArray<readonly [string, () => AbstractHttpAdapter]> = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
]

const apps: INestApplication[] = []
const gateways: Server[] = []
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
  for (const gateway of gateways.splice(0)) gateway.close().closeAllConnections()
})

type Fields = Readonly<Record<string, string | undefined>>

/** The options of a client whose gateway answers every request with these fields. */
export async function clientOf(fields: Fields = {}, httpStatus = 200): Promise<PaymentClientOptions> {
  const known = { type: 'status-response', status: 'approved', amount: '10.42', 'paynet-order-id': ORDER.orderid }
  const server = createServer((_request, response) => {
    response.writeHead(httpStatus, { 'content-type': 'application/vnd.pay+json' })
    response.end(JSON.stringify({ ...known, ...fields }))
  })
  gateways.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/paynet`, login: LOGIN, controlKey: KEY, endpointId: '253' }
}

/** Options that reach no gateway, for tests that send no request. */
export const NO_GATEWAY: PaymentClientOptions = {
  baseUrl: 'http://127.0.0.1:1/paynet',
  login: LOGIN,
  controlKey: KEY,
  endpointId: '253',
}

export interface Started {
  readonly app: INestApplication
  readonly url: string
}

interface StartOptions extends NestApplicationOptions {
  /** Called before the app listens: sets a prefix or a guard. */
  readonly prepare?: (app: INestApplication) => void | Promise<void>
  readonly override?: (builder: TestingModuleBuilder) => TestingModuleBuilder
}

/** Starts an app with this module on a platform, and closes it after the test. */
export async function startApp(
  makeAdapter: () => AbstractHttpAdapter,
  metadata: ModuleMetadata,
  { prepare, override = (builder) => builder, ...options }: StartOptions = {},
): Promise<Started> {
  const module = await override(Test.createTestingModule({ imports: [moduleOf(metadata)] })).compile()
  const app = module.createNestApplication(makeAdapter(), { logger: false, ...options })
  apps.push(app)
  await prepare?.(app)
  await app.listen(0, '127.0.0.1')
  return { app, url: await app.getUrl() }
}

export function moduleOf(metadata: ModuleMetadata) {
  @Module(metadata)
  class AppModule {}
  return AppModule
}

/** A callback as a gateway sends it. */
export function callback(status = 'approved', key = KEY): URLSearchParams {
  const { orderid, client_orderid } = ORDER
  const control = createHash('sha1').update(`${status}${orderid}${client_orderid}${key}`).digest('hex')
  return new URLSearchParams({ status, ...ORDER, control })
}

/** Sends a callback by POST. Gives the HTTP status of the answer. */
export async function postCallback(address: string, form = callback()): Promise<number> {
  return (await fetch(address, { method: 'POST', body: form })).status
}
