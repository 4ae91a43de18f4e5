import type { PaymentClientOptions } from '@tallystick/client'
import type { GatewayReply, GatewayRequest } from '@tallystick/core/internal'

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
  /** Prints what has nothing of others in it that a terminal would obey: its colours stay. */
  readonly paint: (text: string) => void
  /** Whether the output is read by a person. */
  readonly isTerminal: boolean
  /** Whether it may have colours: not if it goes elsewhere, or with `NO_COLOR`. */
  readonly isColoured: boolean
  /** How wide the terminal is. `undefined` if the output goes elsewhere. */
  readonly columns: number | undefined
  /** For what is not the result. */
  readonly warn: (text: string) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Fresh and unpredictable. */
  readonly nonce: () => string
  readonly send: (request: SentRequest) => Promise<Answer>
  /** The same, with the lines of the answer as they come. */
  readonly stream: (request: SentRequest) => Promise<StreamedAnswer>
  /** Runs a task once, after so many milliseconds. The result cancels it. */
  readonly schedule: ClientClock['schedule']
  readonly listen: (address: ListenAddress) => Promise<CallbackListener>
  /** Sends a request over a connection of its own, and shows all of the answer. Redirects are answers. */
  readonly exchange: (request: ExchangeRequest) => Promise<Exchanged>
  /** Serves a port of this machine. */
  readonly serve: (handle: ServeRequest, port: number) => Promise<Served>
  /** Runs a command line of the shell. */
  readonly execute: (command: string, environment: Readonly<Record<string, string>>) => RunningCommand
  /** Writes a file. */
  readonly write: (file: string, text: string) => void
  /** Asks the person at the terminal. */
  readonly ask: (question: string) => Promise<string>
}

export interface ExchangeRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Default: 30 s. */
  readonly timeoutMs?: number
}

/** An answer with its headers, or why there was none. */
export type Exchanged =
  | {
      readonly status: number
      /** Names in lower case; values of one name are a list. */
      readonly headers: Readonly<Record<string, readonly string[] | undefined>>
      readonly body: string
    }
  | { readonly failure: string }

export interface ServedReply extends Omit<GatewayReply, 'body'> {
  readonly body: string | Uint8Array
}

/** @param gone says that the caller has hung up */
export type ServeRequest = (request: GatewayRequest, gone: AbortSignal) => Promise<ServedReply>

export interface Served {
  /** Scheme, host and port. */
  readonly origin: string
  readonly close: () => Promise<void>
}

export interface RunningCommand {
  /** Its exit code; `null` if it was killed, when all of it is gone. */
  readonly ended: Promise<number | null>
  /** What it has printed so far, the last of it. */
  readonly printed: () => string
  /** Ends it and what it has started, at once. */
  readonly kill: () => void
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

/** As an answer, with its body line by line. A connection that breaks ends the lines. */
export type StreamedAnswer =
  | { readonly status: number; readonly statusText: string; readonly lines: AsyncIterable<string> }
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
