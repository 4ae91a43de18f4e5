import type { Answered, Called, GatewayOptions } from './options.ts'

/**
 * What hears of answers, callbacks and failures. None of these throws: where a listener of the operator does, at once or later
 * as an async one, the request is answered and the process goes on all the same.
 */
export interface Listeners {
  readonly onAnswer: (answered: Answered) => void
  readonly onCallback: (called: Called) => void
  readonly onError: (error: unknown, serialNumber?: string) => void
}

export function listeners(options: Pick<GatewayOptions, 'onAnswer' | 'onCallback' | 'onError'>): Listeners {
  const onError: Listeners['onError'] = (error, serialNumber) =>
    tell(
      () => options.onError?.(error, serialNumber),
      // Nobody is left to hear what `onError` itself throws.
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
    onError,
  }
}

function tell(listener: () => unknown, failed: (error: unknown) => void): void {
  try {
    const told = listener()
    // Not only those of this realm: a test runner may give each file its own.
    if (told !== undefined) Promise.resolve(told).catch(failed)
  } catch (error) {
    failed(error)
  }
}
