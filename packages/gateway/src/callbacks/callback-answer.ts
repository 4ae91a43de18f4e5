/** What matters of a merchant's answer. */
export interface CallbackAnswer {
  readonly status: number
  /** The header, as it came. */
  readonly retryAfter?: string | undefined
}

/**
 * Calls an address by GET and follows no redirect. Throws if there was no answer: the error's `code` says why. The gateway
 * stores nothing else of the error.
 */
export type SendCallback = (url: string) => Promise<CallbackAnswer>

/** There was no answer. `reason` says why in a few words. */
export interface NoAnswer {
  readonly reason: string
}
