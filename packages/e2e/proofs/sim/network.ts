import type { Clock, Exchange, Handler, OutgoingRequest } from '@tallystick/client'
import type { TransportOptions } from '@tallystick/client/internal'
import type { Gateway, VirtualClock } from '@tallystick/gateway'
import type { Random } from '@tallystick/proof-kit'
import { askDirectly } from '../../test/support/ask-directly.ts'
import { after } from './clocks.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** How long after its sender has given up on it a request may arrive. */
const LATEST_MS = 14 * MINUTE
/** The same for a request that makes an order: it may even come after it was presumed absent, which nobody can know. */
const TOO_LATE_MS = 40 * MINUTE

export interface Request {
  readonly path: string
  readonly amount: string | undefined
}

export interface NetworkOptions {
  readonly gateway: Pick<Gateway, 'handle'>
  readonly clock: VirtualClock
  readonly random: Random
  readonly troubled: number
  /** Whether the clocks of the signers are right. */
  readonly isTimeRight: boolean
}

export type Network = ReturnType<typeof network>

/** The network between a shop and its gateway, which goes wrong as networks do, until it is fixed. */
export function network({ gateway, clock, random, troubled, isTimeRight }: NetworkOptions) {
  const requests = new Map<string, Request>()
  const sentAt = new Map<string, number>()
  let onTheWay = 0
  let isMended = false
  let mishaps = 0
  const strikes = () => {
    const isTrouble = !isMended && random.below(100) < troubled
    if (isTrouble) mishaps++
    return isTrouble
  }

  async function ask(request: OutgoingRequest): Promise<Exchange> {
    const exchange = await askDirectly(gateway, request)
    const serialNumber = /"serial-number":"([^"]+)"/.exec(exchange.body)?.[1] ?? ''
    const amount = new URLSearchParams(request.body).get('amount') ?? undefined
    requests.set(serialNumber, { path: request.url.split('/').at(-2) ?? '', amount })
    return exchange
  }

  function send(request: OutgoingRequest, { timeoutMs }: TransportOptions): Promise<Exchange> {
    if (strikes() && random.below(8) === 0) return Promise.resolve(random.below(2) === 0 ? REFUSED : FORBIDDEN)
    if (makesOrder(request)) {
      const clientOrderId = new URLSearchParams(request.body).get('client_orderid') ?? ''
      sentAt.set(clientOrderId, sentAt.get(clientOrderId) ?? clock.now())
    }
    return new Promise((resolve) => {
      clock.schedule(timeoutMs, () => resolve({ kind: 'lost', seen: 'there was no reply' }))
      for (let copies = copiesOf(request); copies > 0; copies--) {
        onTheWay++
        clock.schedule(travelTime(request, timeoutMs), async () => {
          onTheWay--
          const exchange = await ask(request)
          if (!strikes()) clock.schedule(1 + random.below(200), () => resolve(exchange))
          else clock.schedule(random.below(30 * SECOND), () => resolve(spoiled(exchange)))
        })
      }
    })
  }

  /**
   * How many copies arrive: none, one or two. A proxy repeats what it believes to be harmless, never a change of an order. Nor is
   * a request with a wrong timestamp repeated: it is refused because its time is in the future, but a copy that arrives at that
   * time would be accepted (interface part 5.2: 403).
   */
  function copiesOf({ url, headers }: OutgoingRequest): number {
    if (!strikes()) return 1
    const mayBeTakenLater = !isTimeRight && 'authorization' in headers
    const isHarmless = !mayBeTakenLater && !/\/(capture|return|void|payout-pay)\//.test(url)
    return random.below(3) === 0 && isHarmless ? 2 : random.below(2)
  }

  function travelTime(request: OutgoingRequest, timeoutMs: number): number {
    if (!strikes()) return 1 + random.below(200)
    if (random.below(2) === 0) return random.below(timeoutMs)
    return timeoutMs + random.below(makesOrder(request) && random.below(2) === 0 ? TOO_LATE_MS : LATEST_MS)
  }

  function spoiled(exchange: Exchange): Exchange {
    const fate = random.below(5)
    if (fate === 0) return { kind: 'lost', seen: 'the connection was reset' }
    if (fate === 1) return { kind: 'replied', httpStatus: 502, mediaType: 'text/html', body: '<h1>Bad gateway</h1>' }
    if (fate === 2) return FORBIDDEN
    if (fate === 3 && exchange.kind === 'replied') return { ...exchange, body: exchange.body.slice(0, -1) }
    return exchange
  }

  return {
    transport: { send, close: async () => {} },
    /** A way to the gateway on which nothing ever happens. */
    direct: { send: ask, close: async () => {} },
    /** When a request for a new order was first sent. */
    sentAt: (clientOrderId: string) => sentAt.get(clientOrderId),
    isBusy: () => onTheWay > 0,
    /** The request to which the gateway gave this serial number, even if the reply was lost. */
    askedBy: (serialNumber: string) => requests.get(serialNumber),
    mend: () => {
      isMended = true
    },
    mishaps: () => mishaps,
  }
}

const REFUSED: Exchange = { kind: 'not-sent', seen: 'the connection was refused' }
/** A proxy's own page, which says nothing about the gateway. */
const FORBIDDEN: Exchange = { kind: 'replied', httpStatus: 403, mediaType: 'text/html', body: '<h1>Forbidden</h1>' }

function makesOrder({ url }: OutgoingRequest): boolean {
  return !/\/(status|capture|return|void|payout-pay|create-card-ref)\//.test(url)
}

interface CallbackOptions {
  /** The callback handler of one of the merchant's processes, if one runs just now. */
  readonly receiver: () => Handler | undefined
  readonly clock: Clock
  readonly random: Random
  readonly isCalm: () => boolean
}

/** Delivers the gateway's callbacks late, twice, or not at all: then the gateway sends them again. */
export function callbacks({ receiver, clock, random, isCalm }: CallbackOptions) {
  return async (url: string): Promise<{ readonly status: number }> => {
    const fate = isCalm() ? undefined : random.below(10)
    const handle = receiver()
    if (fate === 0 || fate === 1 || handle === undefined) return { status: 503 }
    const inbound = { method: 'GET', query: new URL(url).search.slice(1) }
    if (fate === 2) {
      clock.schedule(random.below(10 * MINUTE), () => void (receiver() ?? handle)(inbound))
      return { status: 503 }
    }
    if (fate === 3) handle(inbound).catch(() => {})
    // A dead process never answers: the gateway gives up.
    return await Promise.race([handle(inbound), after(15 * SECOND, clock).then(() => ({ status: 504 }))])
  }
}
