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

/** Starts the app. Whoever starts it ends it; an app of its own calls `app.enableShutdownHooks()`, too. */
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
    // What is being answered is finished, then the journal is closed, and the client after it.
    close: () => app.close(),
  }
}
