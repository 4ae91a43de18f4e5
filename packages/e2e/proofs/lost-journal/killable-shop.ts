import { type OutgoingRequest, type Transport, undiciTransport } from '@tallystick/client'
import type { JournalStore } from '@tallystick/client/ports'
import type { Random } from '@tallystick/proof-kit'

/** From the status that shows a forgotten order: its take-over is one write, and others may be under way. */
const MOST_WRITES = 4

/**
 * A process of the shop that may be killed: what it has sent arrives, and it learns and writes nothing more.
 *
 * @param hear is called with the key of each client order id, as the gateway is told
 * @param takeOvers if given, the process dies within some writes after the gateway has shown an order that the store does not know
 */
export function killableShop(hear: (clientOrderId: string, key: string) => void, takeOvers: Random | undefined) {
  const inner = undiciTransport()
  const underWay = new Set<Promise<unknown>>()
  let [isDead, diedTakingOver] = [false, false]
  let writesLeft: number | undefined
  let isForgotten = async (_clientOrderId: string): Promise<boolean> => false

  const send = async (request: OutgoingRequest, options: Parameters<Transport['send']>[1]) => {
    const form = new URLSearchParams(request.body)
    const [id, key] = [form.get('client_orderid') ?? '', form.get('order_desc')]
    if (key !== null) hear(id, key)
    const exchange = await inner.send(request, options)
    const isShown = exchange.kind === 'replied' && exchange.body.includes('status-response')
    if (takeOvers !== undefined && isShown && !isDead && (await isForgotten(id))) {
      writesLeft ??= takeOvers.below(MOST_WRITES)
    }
    return exchange
  }

  /** Whether the process lives on for one more write. */
  const livesOn = () => {
    if (writesLeft !== undefined && writesLeft-- === 0) isDead = diedTakingOver = true
    return !isDead
  }

  const transport: Transport = {
    send: async (request, options) => {
      if (isDead) return { kind: 'not-sent', seen: 'the process was killed' }
      const sent = send(request, options)
      underWay.add(sent)
      const exchange = await sent.finally(() => underWay.delete(sent))
      return isDead ? { kind: 'lost', seen: 'the process was killed' } : exchange
    },
    close: () => inner.close(),
  }

  return {
    transport,
    /** The store as this process has it. */
    storeOf: (store: JournalStore<unknown>): JournalStore<unknown> => {
      isForgotten = async (id) => (await store.ofOrder(id)).every(({ sends }) => sends === 0)
      const write =
        <Args extends readonly unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
        async (...args: Args) => {
          if (livesOn()) return await method(...args)
          throw new Error('the process was killed')
        }
      return { ...store, insert: write(store.insert), update: write(store.update) }
    },
    die: () => {
      isDead = true
    },
    /** Whether it died while it took orders over that its store did not know. */
    diedTakingOver: () => diedTakingOver,
    /** Resolves when all that it sent has arrived. */
    arrived: async () => void (await Promise.allSettled(underWay)),
  }
}
