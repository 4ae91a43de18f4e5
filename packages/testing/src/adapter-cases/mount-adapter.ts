import type { Inbound, Outbound, PaymentClientOptions, PaymentOutcome, ReturnedOutcome } from '@tallystick/client'
import type { CallbackInbox } from '@tallystick/client/ports'
import type { GatewayReply, GatewayRequest } from '@tallystick/core/internal'

/** The parsers that may have read the bodies of requests before the adapter sees them. */
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
  /** Stores callbacks and knows outcomes. Without it, a status check confirms each callback and `onOutcome` is called. */
  readonly journal?: {
    readonly inbox: CallbackInbox
    browserReturn(clientOrderId: string | undefined): Promise<{ readonly shown: string }>
  }
  /** For the callback route, if there is no journal. */
  onOutcome(outcome: PaymentOutcome): Promise<void>
  /** The `show` of the route to which the browser returns. */
  showReturn(view: { readonly shown: string }, inbound: Inbound): Outbound
  /** The `show` of 3-D Secure. Its `returnUrl` may be any address. */
  showOutcome(outcome: ReturnedOutcome, inbound: Inbound): Outbound
}

/** The app that a case needs. */
export interface AdapterSetup {
  /** Which parser reads bodies before the adapter does. */
  readonly parser: AdapterParser
  /** What the app puts before every route: empty, or beginning with a slash and not ending with one. */
  readonly prefix: string
  /** Whether the app believes `X-Forwarded-For`. */
  readonly trustProxy: boolean
  /** Two shops. */
  readonly shops: readonly AdapterShop[]
  /** Mounted at `/paynet` below the prefix. Gets everything at and below that path. */
  readonly gateway: (request: GatewayRequest) => Promise<GatewayReply>
  /** The app's error handler has to call it with every error, and to answer with the error's `status`, or else 500. */
  onError(error: unknown): void
}

/** A listening app. */
export interface MountedAdapter {
  /** Scheme, host and port, without the prefix. */
  readonly url: string
  /** Resolves when its port is free again. */
  close(): Promise<void>
}

/** Starts an app of the framework on a port of this machine, with the adapter as its users mount it. */
export type MountAdapter = (setup: AdapterSetup) => Promise<MountedAdapter>
