import 'reflect-metadata'
import type { DatabaseSync } from 'node:sqlite'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import type { Journal } from '@tallystick/journal'
import { getPaymentJournalToken } from '@tallystick/nest-module'
import type { RunningShop, ShopSetup } from '@tallystick/shop-kit'
import { LineLogger } from './line-logger.ts'
import { shopModule } from './shop.module.ts'

/** In bytes. Forms of the shop and callbacks are far smaller. */
const LARGEST_BODY = 100_000

/** Starts the app. Its caller closes it; an app that nothing else closes has to call `app.enableShutdownHooks()`. */
export async function startShop({ port, ...setup }: ShopSetup): Promise<RunningShop> {
  const app = await NestFactory.create<NestFastifyApplication>(
    shopModule(setup),
    new FastifyAdapter({ bodyLimit: LARGEST_BODY }),
    { logger: new LineLogger(setup.log), abortOnError: false },
  )
  try {
    await app.listen(port, '127.0.0.1')
  } catch (error) {
    await app.close()
    throw error
  }
  return {
    url: await app.getUrl(),
    journal: app.get<Journal<DatabaseSync>>(getPaymentJournalToken()),
    // Finishes the requests in progress, then closes the journal, then the client.
    close: () => app.close(),
  }
}
