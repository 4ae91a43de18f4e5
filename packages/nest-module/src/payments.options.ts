import type { FactoryProvider, ModuleMetadata, Type } from '@nestjs/common'
import type { Inbound, Outbound, PaymentClient, PaymentClientOptions } from '@tallystick/client'
import type { CallbackHandlerOptions, ClientReturnOptions, ThreeDsReturnOptions } from '@tallystick/client/internal'
import type { CallbackInbox, JournalOutcome } from '@tallystick/client/ports'
import type { PaymentsOptions, PaymentsSettings as ShopPaymentsSettings } from '@tallystick/payments'
import type { RouteOptions } from './routes/route-options.ts'

/** The parts of a journal that the module works with; the journal of `@tallystick/journal` has them. */
export interface PaymentJournal<View = unknown> {
  /** Stores callbacks before they are acknowledged. */
  readonly inbox: CallbackInbox
  /** Called once the app has started. */
  start(): void
  /** Called when the app shuts down, before its client is closed. */
  close(): Promise<void>
  /** What to show the returning customer. */
  browserReturn(clientOrderId: string | undefined): Promise<View>
}

/** The journal's `handler` and its `onNotice`, which the module provides. */
export type OutcomeListener = (
  event:
    | { readonly outcome: JournalOutcome; readonly transaction: unknown }
    | { readonly notice: JournalOutcome; readonly transaction: unknown },
) => Promise<void>

/** Creates the journal of an instance. Pass `handler` on to it, as `handler` and as `onNotice`: it calls the methods with `@OnPaymentOutcome`. */
export type JournalFactory<View> = (
  client: PaymentClient,
  handler: OutcomeListener,
) => PaymentJournal<View> | Promise<PaymentJournal<View>>

/** Listeners beside the methods with `@OnPaymentOutcome`, without a journal. */
export type CallbackSettings = Partial<Pick<CallbackHandlerOptions, 'onOutcome' | 'onNotice' | 'onUnconfirmed'>>

/** Settings of the route to which issuers and gateways send the customer: options of the client's handler. */
export type ThreeDsReturnSettings = Omit<ThreeDsReturnOptions, 'client'>

interface AnySettings {
  /** The options of the client. Their values are checked while the app is created. */
  readonly client: PaymentClientOptions
  /** Leads the customer through 3-D Secure. */
  readonly threeDsReturn?: ThreeDsReturnSettings
}

/** Outcomes come from callbacks that a status check has confirmed. */
export interface ConfirmingSettings extends AnySettings {
  readonly journal?: undefined
  readonly callbacks?: CallbackSettings
  readonly browserReturn?: Omit<ClientReturnOptions, 'client' | 'journal'>
}

/** Settings of the route to which the browser returns, with a journal. */
export interface JournalReturnSettings<View> {
  /** The page that the customer sees. Never proof of payment: ship when the handler is called with the outcome. */
  show(view: View, inbound: Inbound): Outbound | Promise<Outbound>
}

/** Outcomes come from the journal: callbacks are stored in its inbox and acknowledged at once. */
export interface JournalingSettings<View> extends AnySettings {
  /**
   * Creates the journal, which is started and closed with the app. Default: no journal, and a callback is acknowledged after
   * every listener was called with its outcome.
   */
  readonly journal: JournalFactory<View>
  readonly callbacks?: {
    readonly onOutcome?: undefined
    readonly onNotice?: undefined
    readonly onUnconfirmed?: undefined
  }
  readonly browserReturn?: JournalReturnSettings<View>
}

/** The client and the journal of an instance, and what its routes do. */
export type PaymentsSettings<View = unknown> = ConfirmingSettings | JournalingSettings<View>

/** Where the routes of an instance are. Nest must know this before anything is injected. */
export interface PaymentsRoutes {
  /** Where the gateway's callbacks arrive. */
  readonly callbacks?: RouteOptions
  /** Where the gateway's own pages send the customer back to. */
  readonly browserReturn?: RouteOptions
  /** Where issuers and gateways send the customer during 3-D Secure: the path of `returnUrl`. */
  readonly threeDsReturn?: RouteOptions
}

/** The options of an instance that must be known before its settings. */
export interface Registration {
  /** The name of the instance, unique in the app. Default `default`. */
  readonly name?: string
  /** Whether every module can inject the instance. Default `false`: only modules that import this one. */
  readonly global?: boolean
}

/** An instance whose settings are known. */
export type PaymentsModuleOptions<Settings = PaymentsSettings> = Registration & PaymentsRoutes & Settings

/** For `useClass` and `useExisting`. */
export interface PaymentsSettingsFactory<Settings = PaymentsSettings> {
  /** Called once, while the app is created. */
  createPaymentsSettings(): Settings | Promise<Settings>
}

/** How settings are injected. */
export type Asynchronous<Settings> =
  | (Pick<FactoryProvider<Settings>, 'inject'> & {
      /** Returns the settings, from what `inject` names. Called once, while the app is created. */
      readonly useFactory: FactoryProvider<Settings>['useFactory']
      readonly useClass?: undefined
      readonly useExisting?: undefined
    })
  | {
      /** A class that returns the settings; the module provides it. */
      readonly useClass: Type<PaymentsSettingsFactory<Settings>>
      readonly useFactory?: undefined
      readonly useExisting?: undefined
    }
  | {
      /** The token of a provider of `imports` that returns the settings. */
      readonly useExisting: Type<PaymentsSettingsFactory<Settings>> | string | symbol
      readonly useFactory?: undefined
      readonly useClass?: undefined
    }

/** An instance whose settings are injected. */
export type PaymentsModuleAsyncOptions<Settings = PaymentsSettings> = Registration &
  PaymentsRoutes &
  Pick<ModuleMetadata, 'imports'> &
  Asynchronous<Settings>

/** The payments of a shop, as `createPayments` takes them. Methods with `@OnPaid()`, `@OnNotice()` and `@OnResult()` are called. */
export interface ShopSettings<Transaction = unknown>
  extends Omit<ShopPaymentsSettings, 'gateway' | 'path'>,
    Pick<PaymentsOptions<Transaction>, 'database' | 'journal'> {
  /** What the gateway gave you: `{ baseUrl, login, controlKey, endpointId }`, with any other option of `createPaymentClient`. */
  readonly gateway: PaymentClientOptions
  /**
   * Where browsers and the gateway reach the app, with the app's global prefix if it has one: `'https://shop.example.com/api'`. A
   * function if it is known only once the app listens.
   */
  readonly shopUrl: ShopPaymentsSettings['shopUrl']
  /** Nobody takes what happens to a payment later, such as a chargeback. Default: a method with `@OnNotice()` must. */
  readonly onNotice?: 'ignore' | undefined
}

/** Where the routes of a shop are, below the app's global prefix. */
export interface ShopPlace extends Registration, Omit<RouteOptions, 'path'> {
  /** The routes are at `payments/callback` and `payments/return`. Default `payments`. */
  readonly path?: string
}

/** A shop whose settings are known. */
export type ShopModuleOptions<Transaction = unknown> = ShopPlace & ShopSettings<Transaction>

/** A shop whose settings are injected. `path` tells it from an instance of pieces, and must be given. */
export type ShopModuleAsyncOptions<Transaction = unknown> = ShopPlace & { readonly path: string } & Pick<
    ModuleMetadata,
    'imports'
  > &
  Asynchronous<ShopSettings<Transaction>>
