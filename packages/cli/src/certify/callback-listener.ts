/** Receives callbacks, and answers each with 200. */
export interface CallbackListener {
  /** Where the gateway reaches it. */
  readonly url: string
  /** The query of the first callback of an order, or `undefined` if none came in time. */
  readonly wait: (clientOrderId: string, deadlineMs: number) => Promise<string | undefined>
  readonly close: () => Promise<void>
}
