import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common'
import {
  type CallbackHandlerOptions,
  createCallbackHandler,
  createPaymentClient,
  type PaymentClient,
  type PaymentClientOptions,
} from '@tallystick/client'
import { callbackController } from './callback.controller.ts'
import { CALLBACK_HANDLER, PAYMENT_CLIENT } from './payments.tokens.ts'

export interface PaymentsModuleOptions {
  /** What the client is made of. */
  readonly client: PaymentClientOptions
  /** Where callbacks arrive and what is done with an outcome. No route when absent. */
  readonly callbacks?: CallbackRouteOptions
  /** Whether every module can inject the client. Default `false`: the modules that import this one. */
  readonly global?: boolean
}

export interface CallbackRouteOptions extends Pick<CallbackHandlerOptions, 'onOutcome'> {
  /** The path of the route below the app's prefix: `payments/callback`. */
  readonly path: string
}

/** Payments for a Nest app: the client by injection, and the callback route. */
@Module({})
export class PaymentsModule implements OnApplicationShutdown {
  readonly #client: PaymentClient

  constructor(@Inject(PAYMENT_CLIENT) client: PaymentClient) {
    this.#client = client
  }

  /** @throws TypeError for a wrong option, SigningError `BAD_KEY` for a key that cannot be used */
  static forRoot({ client: options, callbacks, global = false }: PaymentsModuleOptions): DynamicModule {
    const client = createPaymentClient(options)
    return {
      module: PaymentsModule,
      global,
      controllers: callbacks === undefined ? [] : [callbackController(callbacks.path)],
      providers: [
        { provide: PAYMENT_CLIENT, useValue: client },
        ...(callbacks === undefined ? [] : [callbackProvider(callbacks)]),
      ],
      exports: [PAYMENT_CLIENT],
    }
  }

  /** Ends the client's connections when the app closes with shutdown hooks. */
  async onApplicationShutdown(): Promise<void> {
    await this.#client.close()
  }
}

/** Made from the injected client, so that a test that overrides the client overrides it here too. */
function callbackProvider({ onOutcome }: CallbackRouteOptions) {
  return {
    provide: CALLBACK_HANDLER,
    inject: [PAYMENT_CLIENT],
    useFactory: (client: PaymentClient) => createCallbackHandler({ client, onOutcome }),
  }
}
