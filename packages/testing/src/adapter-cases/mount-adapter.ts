import type {
  CallbackInbox,
  Inbound,
  Outbound,
  PaymentClientOptions,
  PaymentOutcome,
  ReturnedOutcome,
} from '@tallystick/client'
import type { GatewayReply, GatewayRequest } from '@tallystick/core'

/** What has read the bodies of requests before the adapter sees them. */
export const ADAPTER_PARSERS = [
  'none',
  'json',
  'urlencoded',
  /** `a[b]=c` becomes an object, `a[]=b` a list. */
  'urlencoded-nested',
  /** Any media type, as bytes. */
  'raw',
  /** Any media type, as text. */
  'text',
  'json-and-urlencoded',
] as const

/** One of {@link ADAPTER_PARSERS}. */
export type AdapterParser = (typeof ADAPTER_PARSERS)[number]

/** A merchant of the app. Its routes are at `/NAME/callback`, `/NAME/return` and `/NAME/3ds`, below the prefix. */
export interface AdapterShop {
  readonly name: 'a' | 'b'
  /** For `createPaymentClient`. */
  readonly client: PaymentClientOptions
  /** Where callbacks are kept and outcomes are known; without it, the status is asked and `onOutcome` is told. */
  readonly journal?: {
    readonly inbox: CallbackInbox
    browserReturn(clientOrderId: string | undefined): Promise<{ readonly shown: string }>
  }
  /** For the route of callbacks, where there is no journal. */
  onOutcome(outcome: PaymentOutcome): Promise<void>
  /** The `show` of the route where the browser comes back. */
  showReturn(view: { readonly shown: string }, inbound: Inbound): Outbound
  /** The `show` of 3-D Secure, whose `returnUrl` is any. */
  showOutcome(outcome: ReturnedOutcome, inbound: Inbound): Outbound
}

/** The app that a case needs. */
export interface AdapterSetup {
  /** What reads bodies before the adapter does. */
  readonly parser: AdapterParser
  /** What the app puts before every route: empty, or beginning with a slash and not ending with one. */
  readonly prefix: string
  /** Whether the app believes `X-Forwarded-For`. */
  readonly trustProxy: boolean
  /** Two of them. */
  readonly shops: readonly AdapterShop[]
  /** Mounted at `/paynet` below the prefix, with all that is below it. */
  readonly gateway: (request: GatewayRequest) => Promise<GatewayReply>
  /** The app's error handler tells every error that it gets, and answers with the error's `status`, else 500. */
  onError(error: unknown): void
}

/** An app that listens. */
export interface MountedAdapter {
  /** Scheme, host and port, without the prefix. */
  readonly url: string
  /** Resolves when its port is free again. */
  close(): Promise<void>
}

/** Starts an app of the framework on a port of this machine, with the adapter as its users mount it. */
export type MountAdapter = (setup: AdapterSetup) => Promise<MountedAdapter>
