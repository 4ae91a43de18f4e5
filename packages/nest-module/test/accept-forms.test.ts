import { Body, Controller, Post } from '@nestjs/common'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { describe, expect, test } from 'vitest'
import { PaymentsModule } from '../src/index.ts'
import { callback, clientOf, postCallback, startApp } from './support.ts'

const FORM = 'application/x-www-form-urlencoded'

type NestFastify = ReturnType<ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']>

@Controller('elsewhere')
class Elsewhere {
  @Post()
  show(@Body() body: unknown) {
    return { body }
  }
}

async function start(prepare: (app: NestFastifyApplication) => void) {
  const callbacks = { path: 'cb', onOutcome: () => {} }
  const imports = [PaymentsModule.forRoot({ client: await clientOf(), callbacks })]
  const metadata = { imports, controllers: [Elsewhere] }
  const { url } = await startApp(() => new FastifyAdapter(), metadata, {
    bodyParser: false,
    prepare: (app) => prepare(app as NestFastifyApplication),
  })
  const elsewhere = await fetch(`${url}/elsewhere`, { method: 'POST', body: new URLSearchParams({ a: '1' }) })
  return { url, seen: await elsewhere.json() }
}

describe('forms on Fastify without the parsers of Nest', () => {
  test('are left as text', async () => {
    const { url, seen } = await start(() => {})
    expect(seen).toEqual({ body: 'a=1' })
    expect(await postCallback(`${url}/cb`)).toBe(200)
  })

  test.each<readonly [string, (app: NestFastifyApplication) => void]>([
    ['a parser of forms', (app) => void app.useBodyParser(FORM, {}, (_request, body, done) => done(null, own(body)))],
    [
      'a plugin with one, which is loaded later',
      (app) =>
        void app.register(
          Object.assign(
            async (fastify: NestFastify) => {
              fastify.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => done(null, own(body)))
            },
            { [Symbol.for('skip-override')]: true },
          ),
        ),
    ],
  ])("are read by the app's own: %s", async (_name, prepare) => {
    const { url, seen } = await start(prepare)
    expect(seen).toEqual({ body: { a: '1', by: 'the app' } })
    expect(await postCallback(`${url}/cb`, callback())).toBe(200)
  })
})

/** How an app may parse a form. */
function own(body: string | Buffer): Record<string, string> {
  return { ...Object.fromEntries(new URLSearchParams(body.toString())), by: 'the app' }
}
