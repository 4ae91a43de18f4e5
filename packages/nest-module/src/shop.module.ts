import { Injectable, type OnModuleInit, type Provider } from '@nestjs/common'
import type { PaymentClient } from '@tallystick/client'
import { createJournal, type Journal } from '@tallystick/journal'
import { Payments } from '@tallystick/payments'
import { mergedTexts, returnPage, storeOf } from '@tallystick/payments/internal'
import type { JournalingSettings, ShopPlace, ShopSettings } from './payments.options.ts'
import {
  DEFAULT_INSTANCE,
  getPaymentClientToken,
  getPaymentJournalToken,
  getPaymentsToken,
  SHOP_SETTINGS,
} from './payments.tokens.ts'
import type { RouteOptions } from './routes/route-options.ts'

type Pieces = JournalingSettings<Parameters<ReturnType<typeof returnPage>>[0]>

const DEFAULT_PATH = 'payments'

/** The instance of pieces that a shop's settings stand for. */
export function piecesOf(settings: ShopSettings): Pieces {
  const { gateway, database, journal, onEvent, onNotice, shopUrl, returnTo, texts } = settings
  const urlOf = () => (typeof shopUrl === 'function' ? shopUrl() : shopUrl)
  return {
    client: gateway,
    journal: (client, handler) =>
      createJournal({
        ...journal,
        client,
        store: storeOf(database),
        handler,
        onNotice: onNotice ?? handler,
        onEvent,
      }),
    browserReturn: { show: returnPage({ texts: mergedTexts(texts), shopUrl: urlOf, returnTo }) },
  }
}

/** The places of its two routes. */
export function routesOfShop({ path = DEFAULT_PATH, version, decorators }: ShopPlace) {
  const versioned: Pick<RouteOptions, 'version'> = version === undefined ? {} : { version }
  const decorated: Pick<RouteOptions, 'decorators'> = decorators === undefined ? {} : { decorators }
  const at = (end: string): RouteOptions => ({ path: `${path}/${end}`, ...versioned, ...decorated })
  return { callbacks: at('callback'), browserReturn: at('return') }
}

/** Provides the `Payments` of an instance, and checks their keys before the app listens. */
export function shopProviders(name: string, { path = DEFAULT_PATH }: ShopPlace): readonly Provider[] {
  const token = getPaymentsToken(name)
  return [
    {
      provide: token,
      inject: [getPaymentClientToken(name), getPaymentJournalToken(name), SHOP_SETTINGS],
      useFactory: (client: PaymentClient, journal: Journal<unknown>, settings: ShopSettings) => {
        const { shopUrl, returnTo, texts, onEvent } = settings
        return new Payments(client, journal, {
          path: `/${path.split('/').filter(Boolean).join('/')}`,
          shopUrl,
          returnTo,
          texts,
          onEvent,
        })
      },
    },
    { provide: ShopStart, inject: [token], useFactory: (payments: Payments) => new ShopStart(payments) },
    ...(name === DEFAULT_INSTANCE ? [{ provide: Payments, useExisting: token }] : []),
  ]
}

/** What other modules may inject. */
export function shopExports(name: string) {
  return [getPaymentsToken(name), ...(name === DEFAULT_INSTANCE ? [Payments] : [])]
}

/** With wrong keys the app does not start. */
@Injectable()
class ShopStart implements OnModuleInit {
  readonly #payments: Payments

  constructor(payments: Payments) {
    this.#payments = payments
  }

  async onModuleInit(): Promise<void> {
    await this.#payments.ready()
  }
}
