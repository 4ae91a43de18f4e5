/** A signed request, ready for the wire. The body holds card data: hand it to a socket and to nothing else. */
export interface OutgoingRequest {
  readonly url: string
  /** `authorization` among them, where OAuth signs. */
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
  /** Until when there must be a whole reply, in milliseconds from now. */
  readonly timeoutMs: number
  /** Gives it up: `not-sent` or `lost`, by what was seen. */
  readonly signal?: AbortSignal | undefined
}

/** Sends one POST, once: no redirect is followed, nothing is tried again. */
export interface Transport {
  /** Resolves with what was seen. What it throws counts as `lost`, and so does what is no `Exchange`. */
  send(request: OutgoingRequest, options: TransportOptions): Promise<Exchange>
  /** Ends the connections. */
  close(): Promise<void>
}
