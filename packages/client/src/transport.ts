/** A signed request, ready for the wire. The body holds card data: hand it to a socket and to nothing else. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a transport saw. It never throws: what is not known must not look like a failure. */
export type Exchange =
  | { readonly kind: 'replied'; readonly httpStatus: number; readonly mediaType: string; readonly body: string }
  /** It is certain that no byte of the request left. */
  | { readonly kind: 'not-sent'; readonly seen: string }
  /** Bytes may have left and no whole reply came back. */
  | { readonly kind: 'lost'; readonly seen: string }

export interface TransportOptions {
  /** Until when there must be a whole reply, in milliseconds from now. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Sends one POST, once: no redirect is followed, nothing is tried again. */
export interface Transport {
  send(request: OutgoingRequest, options: TransportOptions): Promise<Exchange>
  /** Ends the connections. */
  close(): Promise<void>
}
