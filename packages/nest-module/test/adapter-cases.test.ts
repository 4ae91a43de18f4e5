import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common'
import { HttpAdapterHost, NestFactory } from '@nestjs/core'
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { type AdapterShop, eachAdapterCase, type MountAdapter } from '@tallystick/testing'
import type { AdapterParser, AdapterSetup } from '@tallystick/testing/internal'
import { parse as parseNested } from 'qs'
import { describe, expect, test } from 'vitest'
import { PaymentGatewayModule, PaymentsModule } from '../src/index.ts'
import { moduleOf } from './support.ts'

/** A merchant as users register one. */
function instanceOf(shop: AdapterShop) {
  const { name, client, journal, onOutcome, showReturn, showOutcome } = shop
  const returns = { returnUrl: 'https://shop.example.com/3ds', show: showOutcome }
  const registered = { name, client, threeDsReturn: { path: `${name}/3ds`, ...returns } }
  const callbacks = { path: `${name}/callback` }
  const browserReturn = { path: `${name}/return`, show: showReturn }
  if (journal === undefined) {
    return PaymentsModule.forRoot({ ...registered, callbacks: { ...callbacks, onOutcome }, browserReturn })
  }
  const made = { ...journal, start: () => {}, close: async () => {} }
  return PaymentsModule.forRoot({ ...registered, callbacks, browserReturn, journal: () => made })
}

function appModuleOf({ shops, gateway }: AdapterSetup) {
  return moduleOf({ imports: [...shops.map(instanceOf), PaymentGatewayModule.forRoot({ path: 'paynet', gateway })] })
}

/** Reports every error, and answers as an app does that reads the status of any error. */
@Catch()
class ErrorFilter implements ExceptionFilter {
  readonly #host: HttpAdapterHost
  readonly #tell: (error: unknown) => void

  constructor(host: HttpAdapterHost, tell: (error: unknown) => void) {
    this.#host = host
    this.#tell = tell
  }

  catch(error: object, context: ArgumentsHost): void {
    this.#tell(error)
    const status = 'status' in error && typeof error.status === 'number' ? error.status : 500
    this.#host.httpAdapter.reply(context.getArgByIndex(1), 'an error', status)
  }
}

const OPTIONS = { logger: false, abortOnError: false, bodyParser: false } as const

type App = NestExpressApplication | NestFastifyApplication

async function listening(app: App, { prefix, onError }: AdapterSetup) {
  app.useGlobalFilters(new ErrorFilter(app.get(HttpAdapterHost), onError))
  if (prefix !== '') app.setGlobalPrefix(prefix)
  await app.listen(0, '127.0.0.1')
  return { url: await app.getUrl(), close: () => app.close() }
}

type Parse<Nest> = Readonly<Record<AdapterParser, (app: Nest) => void>>

const onExpress: Parse<NestExpressApplication> = {
  none: () => {},
  json: (app) => void app.useBodyParser('json'),
  urlencoded: (app) => void app.useBodyParser('urlencoded', { extended: false }),
  'urlencoded-nested': (app) => void app.useBodyParser('urlencoded', { extended: true }),
  raw: (app) => void app.useBodyParser('raw', { type: '*/*' }),
  text: (app) => void app.useBodyParser('text', { type: '*/*' }),
  'json-and-urlencoded': (app) => void app.useBodyParser('json').useBodyParser('urlencoded', { extended: true }),
}

const mountExpress: MountAdapter = async (setup) => {
  const app = await NestFactory.create<NestExpressApplication>(appModuleOf(setup), new ExpressAdapter(), OPTIONS)
  if (setup.trustProxy) app.set('trust proxy', true)
  onExpress[setup.parser](app)
  return await listening(app, setup)
}

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Fastify has parsers for JSON and text; a parser for nested forms is the app's own. */
const onFastify: Parse<NestFastifyApplication> = {
  none: (app) => app.getHttpAdapter().getInstance().removeContentTypeParser(JSON_TYPE),
  json: (app) => void app.useBodyParser(JSON_TYPE),
  urlencoded: (app) => void app.useBodyParser(FORM_TYPE),
  'urlencoded-nested': (app) =>
    void app.useBodyParser(FORM_TYPE, {}, (_request, body: Buffer, done) => done(null, parseNested(body.toString()))),
  raw: (app) => everyType(app, (body) => body),
  text: (app) => everyType(app, (body) => body.toString()),
  'json-and-urlencoded': (app) => void app.useBodyParser(JSON_TYPE).useBodyParser(FORM_TYPE),
}

function everyType(app: NestFastifyApplication, read: (body: Buffer) => unknown): void {
  for (const type of ['*', JSON_TYPE, 'text/plain']) {
    app.useBodyParser(type, {}, (_request, body: Buffer, done) => done(null, read(body)))
  }
}

const mountFastify: MountAdapter = async (setup) => {
  const adapter = new FastifyAdapter({ trustProxy: setup.trustProxy })
  const app = await NestFactory.create<NestFastifyApplication>(appModuleOf(setup), adapter, OPTIONS)
  onFastify[setup.parser](app)
  return await listening(app, setup)
}

/** A case rejects unless the adapter passes it. */
function passes(name: string, run: () => Promise<void>): void {
  // oxlint-disable-next-line vitest/valid-title -- the case brings its title
  test(name, () => expect(run()).resolves.toBeUndefined())
}

describe('Every case of an adapter, on Nest with Express', () => {
  eachAdapterCase(mountExpress, passes)
})

describe('Every case of an adapter, on Nest with Fastify', () => {
  eachAdapterCase(mountFastify, passes)
})
