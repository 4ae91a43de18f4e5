import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, createCallbackHandler, type PaymentClient, readInbound } from '@tallystick/client'
import type { Journal, JournalStore } from '@tallystick/journal'

/** What a process of a shop tells its killer. */
export type FromServedShop =
  /** It takes callbacks there. */
  | { readonly origin: string }
  /** Nothing is due any more, and the handler had every outcome. */
  | { readonly isIdle: true }

interface ShopParts<Transaction> {
  readonly client: PaymentClient
  readonly journal: Journal<Transaction>
  readonly store: JournalStore<Transaction>
  readonly clock: Clock
  readonly tell: (message: FromServedShop) => void
  /** Called with the error of a callback that was not taken. */
  readonly complain: (error: unknown) => void
}

/** Takes the callbacks of a shop over HTTP, until its killer has it finish or stop. */
export function serveShop<Transaction>({ client, journal, store, clock, tell, complain }: ShopParts<Transaction>) {
  const handle = createCallbackHandler({ client, inbox: journal.inbox })
  const server = createServer((request, response) => {
    readInbound(request)
      .then(handle)
      .then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        (error: unknown) => {
          complain(error)
          response.writeHead(503).end()
        },
      )
  })
  server.listen(0, '127.0.0.1', () => tell({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
  return {
    /** Waits until nothing is due. */
    finish: async () => {
      for (;;) {
        const { looked, handedOver } = await journal.reconcile()
        const dueAt = (await store.nextDueAt({ until: clock.now(), withOutcomes: true })) ?? Number.POSITIVE_INFINITY
        if (looked === 0 && handedOver === 0 && dueAt > clock.now()) return tell({ isIdle: true })
      }
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await journal.close()
      await client.close()
      process.disconnect()
    },
  }
}
