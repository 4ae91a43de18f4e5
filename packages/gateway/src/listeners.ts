import type { Answered, Called, Decided, GatewayOptions, LimitReached } from './options.ts'
import type { OperatorRecord } from './store/operator-record.ts'

export type LimitListener = (reached: LimitReached) => void

/**
 * Called with answers, callbacks and failures. None of these throws: if the operator's listener throws, or an async one
 * rejects, the request is still answered and the process continues.
 */
export interface Listeners {
  readonly onAnswer: (answered: Answered) => void
  readonly onCallback: (called: Called) => void
  readonly onDecision: (decided: Decided) => void
  readonly onRecord: (record: OperatorRecord) => void
  readonly onLimit: LimitListener
  readonly onError: (error: unknown, serialNumber?: string) => void
}

export function listeners(
  options: Pick<GatewayOptions, 'onAnswer' | 'onCallback' | 'onDecision' | 'onRecord' | 'onLimit' | 'onError'>,
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
