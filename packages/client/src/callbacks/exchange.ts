/** A request of any framework, as plain data. */
export interface Inbound {
  /** `GET`, `POST`, in capitals. */
  readonly method: string
  /** The query as it arrived, without the question mark; empty when there is none. */
  readonly query: string
  /** The body: its text, or what a body parser made of it, or nothing. */
  readonly body?: string | Readonly<Record<string, unknown>> | undefined
}

/** The answer, as plain data. */
export interface Outbound {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What an adapter mounts: it decides everything, the adapter only converts. */
export type Handler = (inbound: Inbound) => Promise<Outbound>

export function answer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Outbound {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body }
}
