import type { OperationKind, OperationStatus } from '@tallystick/core'
import type { LimitListener } from './http/concurrency-limit.ts'
import type { DeliveryState } from './store/delivery.ts'
import type { OperatorRecord } from './store/operator-record.ts'

/** A request that was answered. */
export interface RequestEvent {
  readonly serialNumber: string
  /** The operation's key in the catalogue. Absent if the path names none. */
  readonly operation: string | undefined
  readonly httpStatus: number
  /** Only of a refusal. */
  readonly errorCode: string | undefined
  readonly orderId: string | undefined
  readonly milliseconds: number
  /** Only of a refusal. */
  readonly refused?: RefusedAnswer | undefined
}

/** What an operator needs to know of a request that was refused. */
export interface RefusedAnswer {
  readonly method: string
  /** Without the query, and without the token of a page, which is as good as a key. */
  readonly path: string
  /** The address that the request came from, if the server knows it; behind a proxy of `trustedProxies`, the one that it names. */
  readonly peer: string | undefined
  /** The endpoint or group in the path. */
  readonly endpointId: string | undefined
  /** Whom the request claims to come from: nobody may have verified it. */
  readonly login: string | undefined
  readonly clientOrderId: string | undefined
  /** It may say more than the answer does, but names no key and no card. */
  readonly reason: string | undefined
}

/** What became of an operation of an order. */
export interface DecisionEvent {
  readonly orderId: string
  readonly operationId: string
  readonly kind: OperationKind
  readonly status: OperationStatus
  /** Of an outcome that is none of approved. */
  readonly errorCode: string | undefined
  readonly login: string
  readonly endpointId: string
  readonly clientOrderId: string
  /** Of the request that asked for it. */
  readonly serialNumber: string
}

/** An attempt to send a callback, or a callback that was given up without another attempt. */
export interface CallbackEvent {
  /** Of the request whose outcome it reports, as in `RequestEvent`. Absent if the order is no longer stored. */
  readonly serialNumber: string | undefined
  readonly orderId: string
  /** The address that was called, without its query, which is about the payment: `https://shop.example.com/callback`. */
  readonly address: string
  /** The HTTP status, or why there was none, such as `ECONNREFUSED`. Only `200` acknowledges. Empty if it was never sent. */
  readonly answer: string
  /** `open`: it will be sent again. */
  readonly state: DeliveryState
  /** How often it was sent so far. */
  readonly made: number
  /** When it is sent again, in milliseconds since 1970. Absent: it is over. */
  readonly dueAt: number | undefined
}

/**
 * Called with answers, callbacks and failures. None of these throws: if the operator's listener throws, or an async one
 * rejects, the request is still answered and the process continues.
 */
export interface Listeners {
  readonly onAnswer: (answered: RequestEvent) => void
  readonly onCallback: (called: CallbackEvent) => void
  readonly onDecision: (decided: DecisionEvent) => void
  readonly onRecord: (record: OperatorRecord) => void
  readonly onLimit: LimitListener
  readonly onError: (error: unknown, serialNumber?: string) => void
}

export function listeners(
  options: { readonly [Name in keyof Listeners]?: ((...told: Parameters<Listeners[Name]>) => unknown) | undefined },
): Listeners {
  const onError: Listeners['onError'] = (error, serialNumber) =>
    tell(
      () => options.onError?.(error, serialNumber),
      // There is nobody left to report what `onError` itself throws.
      () => {},
    )
  return {
    onAnswer: (answered) =>
      tell(
        () => options.onAnswer?.(answered),
        (error) => onError(error, answered.serialNumber),
      ),
    onCallback: (called) =>
      tell(
        () => options.onCallback?.(called),
        (error) => onError(error, called.serialNumber),
      ),
    onDecision: (decided) =>
      tell(
        () => options.onDecision?.(decided),
        (error) => onError(error, decided.serialNumber),
      ),
    onRecord: (record) =>
      tell(
        () => options.onRecord?.(record),
        (error) => onError(error),
      ),
    onLimit: (reached) =>
      tell(
        () => options.onLimit?.(reached),
        (error) => onError(error),
      ),
    onError,
  }
}

function tell(listener: () => unknown, failed: (error: unknown) => void): void {
  try {
    const told = listener()
    // Also promises of another realm: a test runner may give each file its own.
    if (told !== undefined) Promise.resolve(told).catch(failed)
  } catch (error) {
    failed(error)
  }
}
