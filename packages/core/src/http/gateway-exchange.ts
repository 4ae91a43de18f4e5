/** A request to the gateway, as plain data: any server can make one. */
export interface GatewayRequest {
  readonly method: string
  /** Path with the query, as it arrived: `/paynet/api/v2/sale/253`. */
  readonly url: string
  /** Names in lower case. A name that came twice is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
  /** The address that the connection came from, if the server knows it: for logs, records and the limit of tries. */
  readonly peer?: string | undefined
}

/** The answer, as plain data. */
export interface GatewayReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /**
   * Of a fault on demand: the connection is cut `before-reply` (the status is 0) or `within-body`, after this part of it. The
   * server must then break the connection off, not send the reply as if it were whole.
   */
  readonly cut?: 'before-reply' | 'within-body' | undefined
}
