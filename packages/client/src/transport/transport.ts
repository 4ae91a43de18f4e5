/** A signed request, ready for the wire. The body holds card data: write it to a socket and to nothing else. */
export interface OutgoingRequest {
  readonly url: string
  /** With `authorization`, if OAuth signs. */
  readonly headers: Readonly<Record<string, string>>
  /** A form, ASCII. */
  readonly body: string
}

/** What a transport saw. It never throws: what is not known must not look like a failure. */
export type Exchange =
  /** A whole reply came back; `body` is its text, `mediaType` the value of its header, or empty. */
  | { readonly kind: 'replied'; readonly httpStatus: number; readonly mediaType: string; readonly body: string }
  /** It is certain that no byte of the request left. */
  | { readonly kind: 'not-sent'; readonly seen: string }
  /** Bytes may have left and no whole reply came back. */
  | { readonly kind: 'lost'; readonly seen: string }

/** How long an exchange may take. */
export interface TransportOptions {
  /** Time limit for the whole reply, in milliseconds. */
  readonly timeoutMs: number
  /** Cancels it: `not-sent` or `lost`, by what was seen. */
  readonly signal?: AbortSignal | undefined
}

/** Sends one POST, once: follows no redirect, repeats nothing. */
export interface Transport {
  /** Resolves with what was seen. Anything it throws, or that is no `Exchange`, counts as `lost`. */
  send(request: OutgoingRequest, options: TransportOptions): Promise<Exchange>
  /** Ends the connections. */
  close(): Promise<void>
}
