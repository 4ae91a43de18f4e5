/** An address of this machine. */
export interface ListenAddress {
  /** `undefined`: all interfaces, because the gateway may be on another machine. */
  readonly host: string | undefined
  readonly port: number
}

/** Receives callbacks under any path, and answers each with 200. */
export interface CallbackListener {
  /** The query of the first callback of an order, or `undefined` if none came in time. */
  readonly wait: (clientOrderId: string, deadlineMs: number) => Promise<string | undefined>
  /** How many requests came, of whatever order. */
  readonly received: () => number
  readonly close: () => Promise<void>
}
