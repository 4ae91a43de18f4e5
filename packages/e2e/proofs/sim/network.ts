import type { Exchange, OutgoingRequest, Transport, TransportOptions } from '@tallystick/client'
import type { Gateway, VirtualClock } from '@tallystick/gateway'
import type { Random } from '../../../../scripts/proof/random.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** A request may arrive so long after its sender has given it up. */
const LATEST_MS = 14 * MINUTE

/** The network between a shop and its gateway, which does what networks do, until it is mended. */
export interface Network {
  /** The shop's end of it. */
  readonly transport: Transport
  /** From now on everything arrives. */
  mend(): void
  /** How often something went wrong. */
  readonly mishaps: () => number
}

export interface NetworkOptions {
  readonly gateway: Pick<Gateway, 'handle'>
  readonly clock: VirtualClock
  readonly random: Random
  /** Of a hundred exchanges so many go wrong. */
  readonly troubled: number
}

export function network({ gateway, clock, random, troubled }: NetworkOptions): Network {
  let isMended = false
  let mishaps = 0
  const strikes = () => {
    const isTrouble = !isMended && random.below(100) < troubled
    if (isTrouble) mishaps++
    return isTrouble
  }

  async function ask({ url, headers, body }: OutgoingRequest): Promise<Exchange> {
    const { pathname } = new URL(url)
    const reply = await gateway.handle({ method: 'POST', url: pathname, headers, body })
    const mediaType = reply.headers['content-type'] ?? ''
    return { kind: 'replied', httpStatus: reply.status, mediaType, body: reply.body }
  }

  function send(request: OutgoingRequest, { timeoutMs }: TransportOptions): Promise<Exchange> {
    if (strikes() && random.below(8) === 0)
      return Promise.resolve({ kind: 'not-sent', seen: 'the connection was refused' })
    return new Promise((resolve) => {
      clock.schedule(timeoutMs, () => resolve({ kind: 'lost', seen: 'there was no reply' }))
      for (let copies = copiesOf(request); copies > 0; copies--) {
        clock.schedule(onTheWay(timeoutMs), async () => {
          const exchange = await ask(request)
          if (!strikes()) clock.schedule(1 + random.below(200), () => resolve(exchange))
          else clock.schedule(random.below(30 * SECOND), () => resolve(spoiled(exchange)))
        })
      }
    })
  }

  /** None arrives, or one, or two: a proxy repeats what it believes to be harmless, never a change of an order. */
  function copiesOf({ url }: OutgoingRequest): number {
    if (!strikes()) return 1
    return random.below(3) > 0 || /\/(capture|return|void)\//.test(url) ? random.below(2) : 2
  }

  function onTheWay(timeoutMs: number): number {
    if (!strikes()) return 1 + random.below(200)
    return random.below(2) === 0 ? random.below(timeoutMs) : timeoutMs + random.below(LATEST_MS)
  }

  function spoiled(exchange: Exchange): Exchange {
    const fate = random.below(4)
    if (fate === 0) return { kind: 'lost', seen: 'the connection was reset' }
    if (fate === 1) return { kind: 'replied', httpStatus: 502, mediaType: 'text/html', body: '<h1>Bad gateway</h1>' }
    if (fate === 2 && exchange.kind === 'replied') return { ...exchange, body: exchange.body.slice(0, -1) }
    return exchange
  }

  return {
    transport: { send, close: async () => {} },
    mend: () => {
      isMended = true
    },
    mishaps: () => mishaps,
  }
}
