import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { Test } from '@nestjs/testing'
import { getPaymentClientToken, getPaymentJournalToken } from '@tallystick/nest-module'
import { chooseStaffPassword, openShopDatabase } from '@tallystick/shop-kit'
import { LineLogger } from '../src/line-logger.ts'
import { shopModule } from '../src/shop.module.ts'

interface Replaced {
  readonly client: object
  readonly journal?: object
}

/** The app as a Nest test creates it, with the given objects in place of providers. It calls no gateway. */
export async function shopWith({ client, journal }: Replaced) {
  const folder = mkdtempSync(join(tmpdir(), 'nest-shop-test-'))
  const database = openShopDatabase(join(folder, 'shop.db'))
  const merchant = { baseUrl: 'https://gate.example.com/paynet', login: 'shop', controlKey: '', endpointId: '253' }
  const logged: string[] = []
  const staffPassword = chooseStaffPassword()
  const setup = { staffPassword, merchant, database, gateway: 'https://gate.example.com', log: () => {} }
  const builder = Test.createTestingModule({ imports: [shopModule(setup)] })
  builder.overrideProvider(getPaymentClientToken()).useValue(client)
  if (journal !== undefined) builder.overrideProvider(getPaymentJournalToken()).useValue(journal)
  const module = await builder.compile()
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), {
    logger: new LineLogger((line) => logged.push(line)),
  })
  await app.listen(0, '127.0.0.1')
  return {
    app,
    url: await app.getUrl(),
    database,
    staffPassword,
    logged,
    [Symbol.asyncDispose]: async () => {
      await app.close()
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}
