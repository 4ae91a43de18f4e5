import type { Exchange, OutgoingRequest, Transport } from '../src/index.ts'
import type { TransportOptions } from '../src/internal.ts'

export interface FakeTransport extends Transport {
  /** What was sent, in order. */
  readonly sent: readonly OutgoingRequest[]
  /** The options that it was sent with. */
  readonly options: readonly TransportOptions[]
  readonly isClosed: boolean
}

/** A gateway that answers each request with the next exchange, and then always with the last. An `Error` is thrown. */
export function fakeTransport(...exchanges: ReadonlyArray<Exchange | Error>): FakeTransport {
  const sent: OutgoingRequest[] = []
  const options: TransportOptions[] = []
  let isClosed = false
  return {
    sent,
    options,
    get isClosed() {
      return isClosed
    },
    send: async (request, given) => {
      const exchange = exchanges[Math.min(sent.length, exchanges.length - 1)]
      sent.push(request)
      options.push(given)
      if (exchange === undefined || exchange instanceof Error) throw exchange ?? new Error('no exchange is left')
      return exchange
    },
    close: async () => {
      isClosed = true
    },
  }
}

export function replied(httpStatus: number, mediaType: string, body: string): Exchange {
  return { kind: 'replied', httpStatus, mediaType, body }
}

export function json(record: object, httpStatus = 200): Exchange {
  return replied(httpStatus, 'application/vnd.pay+json', JSON.stringify(record))
}

/** The classic format: every value ends with a line feed. */
export function classic(text: string, httpStatus = 200): Exchange {
  return replied(httpStatus, 'text/html;charset=utf-8', text)
}

/** The acknowledgement of the documentation (gaps part 2.1). */
export const acknowledged = json({
  type: 'async-response',
  'serial-number': '00000000-0000-0000-0000-000002d9b22a',
  'merchant-order-id': 'inv4097763',
  'paynet-order-id': '6768788',
  'end-point-id': '22903',
})

export const lost: Exchange = { kind: 'lost', seen: 'the connection failed with ECONNRESET' }
