import { All, type DynamicModule, Inject, Module, type OnModuleInit, Req, Res, type Type } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { type Handler, readInbound } from '@tallystick/client'
import { checkAsyncOptions, checkModuleOptions } from './check-options.ts'
import { PaymentOutcomesModule } from './outcomes/payment-outcomes.ts'
import type {
  ConfirmingSettings,
  JournalingSettings,
  PaymentsModuleAsyncOptions,
  PaymentsModuleOptions,
  PaymentsRoutes,
  PaymentsSettings,
} from './payments.options.ts'
import { instanceProviders, journalProvider, settingsProviders } from './payments.providers.ts'
import { routesOf } from './payments.routes.ts'
import {
  DEFAULT_INSTANCE,
  getPaymentJournalToken,
  getPaymentsHealthToken,
  getPaymentsToken,
  SETTINGS,
} from './payments.tokens.ts'
import { acceptForms } from './routes/accept-forms.ts'
import { nodeRequestOf, type PlatformRequest, type PlatformResponse, send } from './routes/platform.ts'
import { type RouteOptions, routeController } from './routes/route-options.ts'

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
  static forRoot<View>(options: PaymentsModuleOptions<JournalingSettings<View>>): DynamicModule
  static forRoot(options: PaymentsModuleOptions<ConfirmingSettings>): DynamicModule
  static forRoot(options: PaymentsModuleOptions<PaymentsSettings>): DynamicModule {
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
  static forRootAsync<Settings extends PaymentsSettings>(options: PaymentsModuleAsyncOptions<Settings>): DynamicModule {
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

function instanceModule(
  name: string,
  routes: PaymentsRoutes,
  { imports = [], providers = [], exports = [], global = false }: Omit<DynamicModule, 'module'>,
): DynamicModule {
  return {
    module: PaymentsModule,
    global,
    imports: [PaymentOutcomesModule, ...imports],
    controllers: routesOf(routes).map(({ name: what, place, token }) =>
      handlerController(`${what}(${name})`, place, token),
    ),
    providers: [...providers, ...instanceProviders(name, routes)],
    exports: [getPaymentsToken(name), getPaymentsHealthToken(name), ...exports],
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
