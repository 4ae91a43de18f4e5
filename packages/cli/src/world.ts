import type { PaymentClientOptions } from '@tallystick/client'

/** What a command needs of the machine that it runs on. */
export interface World {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The keys that were read. Whoever reads one adds it, so that no report of a bug shows it. */
  readonly secrets: Set<string>
  /** The text of a file; of the standard input for `-`. @throws UsageError if it cannot be read */
  readonly read: (file: string) => string
  /** Whether every user of the machine may read a file. */
  readonly isOpen: (file: string) => boolean
  readonly print: (text: string) => void
  /** How wide the terminal is. `undefined` if the output goes elsewhere. */
  readonly columns: number | undefined
  /** For what is not the result. */
  readonly warn: (text: string) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Fresh and unpredictable. */
  readonly nonce: () => string
  readonly send: (request: SentRequest) => Promise<Answer>
  /** Runs a task once, after so many milliseconds. The result cancels it. */
  readonly schedule: ClientClock['schedule']
  readonly listen: (address: ListenAddress) => Promise<CallbackListener>
}

/** The clock of a client. */
export type ClientClock = NonNullable<PaymentClientOptions['clock']>

export interface SentRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What came back, or why nothing did. */
export type Answer =
  | { readonly status: number; readonly statusText: string; readonly body: string; readonly milliseconds: number }
  | { readonly failure: string }

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
