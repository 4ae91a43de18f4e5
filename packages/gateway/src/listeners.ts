import type { Answered, GatewayOptions } from './options.ts'

/** What hears of answers and failures. Never throws: a listener of the operator that does takes no answer, and no process, with it. */
export interface Listeners {
  readonly onAnswer: (answered: Answered) => void
  readonly onError: (error: unknown, serialNumber?: string) => void
}

export function listeners(options: Pick<GatewayOptions, 'onAnswer' | 'onError'>): Listeners {
  const onError: Listeners['onError'] = (error, serialNumber) => {
    try {
      options.onError?.(error, serialNumber)
    } catch {
      // There is nobody left to tell.
    }
  }
  const onAnswer: Listeners['onAnswer'] = (answered) => {
    try {
      options.onAnswer?.(answered)
    } catch (error) {
      onError(error, answered.serialNumber)
    }
  }
  return { onAnswer, onError }
}
