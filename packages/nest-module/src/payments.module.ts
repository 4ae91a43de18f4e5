import type { DatabaseSync } from 'node:sqlite'
import {
  All,
  type DynamicModule,
  Inject,
  Module,
  type OnModuleInit,
  type Provider,
  Req,
  Res,
  type Type,
} from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { type Handler, readInbound } from '@tallystick/client'
import { checkAsyncOptions, checkModuleOptions } from './check-options.ts'
import { PaymentOutcomesModule } from './outcomes/payment-outcomes.ts'
import { lifeModule } from './payments.instance.ts'
import type {
  ConfirmingSettings,
  JournalingSettings,
  PaymentsModuleAsyncOptions,
  PaymentsModuleOptions,
  PaymentsRoutes,
  PaymentsSettings,
  ShopModuleAsyncOptions,
  ShopModuleOptions,
  ShopPlace,
} from './payments.options.ts'
import { factoryProviders, instanceProviders, journalProvider, settingsProviders } from './payments.providers.ts'
import { routesOf } from './payments.routes.ts'
import {
  DEFAULT_INSTANCE,
  getPaymentClientToken,
  getPaymentJournalToken,
  getPaymentsHealthToken,
  SETTINGS,
  SHOP_SETTINGS,
} from './payments.tokens.ts'
import { acceptForms } from './routes/accept-forms.ts'
import { nodeRequestOf, type PlatformRequest, type PlatformResponse, send } from './routes/platform.ts'
import { type RouteOptions, routeController } from './routes/route-options.ts'
import { piecesOf, routesOfShop, shopExports, shopProviders } from './shop.module.ts'
import { checkShopAsyncOptions, checkShopOptions, checkShopSettings } from './shop.options.ts'

/** Payments for a Nest app: an injected client, routes for callbacks and returns, and methods that are called with outcomes. */
@Module({})
export class PaymentsModule implements OnModuleInit {
  readonly #host: HttpAdapterHost

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#host = host
  }

  /**
   * An instance whose settings are known now. A wrong value or key of `client` stops the app while it is created.
   *
   * @throws TypeError that names an option which does not exist, is of a wrong kind or has no effect
   */
  static forRoot<Transaction = DatabaseSync>(options: ShopModuleOptions<Transaction>): DynamicModule
  /** An instance of pieces: a client, and routes and a journal as you want them. */
  static forRoot<View>(options: PaymentsModuleOptions<JournalingSettings<View>>): DynamicModule
  static forRoot(options: PaymentsModuleOptions<ConfirmingSettings>): DynamicModule
  static forRoot(options: PaymentsModuleOptions<PaymentsSettings> | ShopModuleOptions): DynamicModule {
    if (isShop(options)) return shopModule(options)
    checkModuleOptions(options)
    const { name = DEFAULT_INSTANCE, journal } = options
    return instanceModule(name, options, {
      global: options.global ?? false,
      providers: [{ provide: SETTINGS, useValue: options }, ...(journal === undefined ? [] : [journalProvider(name)])],
      exports: journal === undefined ? [] : [getPaymentJournalToken(name)],
    })
  }

  /**
   * An instance whose settings are injected. Nest needs its name and the places of its routes now. What the factory returns
   * is checked while the app is created.
   *
   * @throws TypeError that names an option which does not exist or is of a wrong kind
   */
  static forRootAsync<Transaction = DatabaseSync>(options: ShopModuleAsyncOptions<Transaction>): DynamicModule
  static forRootAsync<Settings extends PaymentsSettings>(options: PaymentsModuleAsyncOptions<Settings>): DynamicModule
  static forRootAsync(options: PaymentsModuleAsyncOptions | ShopModuleAsyncOptions): DynamicModule {
    if (isShopAsync(options)) return shopModuleAsync(options)
    checkAsyncOptions(options)
    const { name = DEFAULT_INSTANCE, imports = [] } = options
    return instanceModule(name, options, {
      global: options.global ?? false,
      imports,
      providers: [...settingsProviders(options), journalProvider(name)],
      exports: [getPaymentJournalToken(name)],
    })
  }

  onModuleInit(): void {
    acceptForms(this.#host)
  }
}

/** A program without types may pass nothing, which is refused with the options that there are. */
function isShop(options: object | null | undefined): options is ShopModuleOptions {
  return typeof options === 'object' && options !== null && 'gateway' in options
}

function isShopAsync(options: object | null | undefined): options is ShopModuleAsyncOptions {
  return typeof options === 'object' && options !== null && 'path' in options
}

/** A shop in one object is an instance of pieces, with `Payments` over it. */
function shopModule(options: ShopModuleOptions): DynamicModule {
  checkShopOptions(options)
  return shopInstance(options, [{ provide: SHOP_SETTINGS, useValue: options }])
}

function shopModuleAsync(options: ShopModuleAsyncOptions): DynamicModule {
  checkShopAsyncOptions(options)
  return shopInstance(options, factoryProviders(SHOP_SETTINGS, options, checkShopSettings), options.imports)
}

function shopInstance(
  place: ShopPlace,
  settings: readonly Provider[],
  imports: DynamicModule['imports'] = [],
): DynamicModule {
  const { name = DEFAULT_INSTANCE, global = false } = place
  const pieces = { provide: SETTINGS, inject: [SHOP_SETTINGS], useFactory: piecesOf }
  return instanceModule(name, routesOfShop(place), {
    global,
    imports,
    providers: [...settings, pieces, journalProvider(name), ...shopProviders(name, place)],
    exports: [getPaymentJournalToken(name), ...shopExports(name)],
  })
}

function instanceModule(
  name: string,
  routes: PaymentsRoutes,
  { imports = [], providers = [], exports = [], global = false }: Omit<DynamicModule, 'module'>,
): DynamicModule {
  return {
    module: PaymentsModule,
    global,
    imports: [PaymentOutcomesModule, lifeModule(name), ...imports],
    controllers: routesOf(routes).map(({ name: what, place, token }) =>
      handlerController(`${what}(${name})`, place, token),
    ),
    providers: [...providers, ...instanceProviders(name, routes)],
    exports: [getPaymentClientToken(name), getPaymentsHealthToken(name), ...exports],
  }
}

/** A controller for one handler, which the module provides under `token`. Logs and throttlers show `name`. */
function handlerController(name: string, route: RouteOptions, token: symbol): Type<unknown> {
  class HandlerController {
    readonly #handle: Handler

    constructor(@Inject(token) handle: Handler) {
      this.#handle = handle
    }

    @All()
    async receive(@Req() request: PlatformRequest, @Res() response: PlatformResponse): Promise<void> {
      send(response, await this.#handle(await readInbound(nodeRequestOf(request))))
    }
  }
  return routeController(HandlerController, name, route)
}
