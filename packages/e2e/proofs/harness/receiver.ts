import { createServer } from 'node:http'
import { listenOn, type Order } from '@tallystick/proof-kit'

const PORTS = 4
/** The percentage of callbacks that are refused at first. */
const REFUSED = 5

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Receives the merchant's callbacks on several ports: a gateway has at most four deliveries under way to each. */
export async function startReceiver({ random, after }: Pick<Order, 'random' | 'after'>) {
  const heard = new Set<string>()
  const listening = await Promise.all(
    Array.from({ length: PORTS }, () =>
      listenOn(
        createServer(({ url, headers }, response) => {
          const isAcknowledged = random.below(100) >= REFUSED
          if (isAcknowledged) heard.add(`http://${headers.host}${url}`)
          response.writeHead(isAcknowledged ? 200 : 503).end()
        }),
      ),
    ),
  )
  for (const { close } of listening) after(close)
  return {
    /** An address for the next order. */
    address: () => `${random.pick(listening).origin}/callback`,
    /** Whether the callback with this full address was acknowledged. */
    hasHeard: (url: string) => heard.has(url),
  }
}
