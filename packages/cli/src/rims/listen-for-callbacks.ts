import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { CallbackListener } from '../certify/callback-listener.ts'
import { UsageError } from '../usage-error.ts'

/** How often it looks whether a callback came. */
const LOOK_MS = 50

/** Listens on the port of an address, on all interfaces: the gateway may be on another machine. */
export async function listenForCallbacks(url: string): Promise<CallbackListener> {
  const queries: string[] = []
  const server = createServer((request, response) => {
    queries.push(request.url?.replace(/^[^?]*\?/, '') ?? '')
    response.end('OK')
  })
  const port = new URL(url).port || '80'
  server.listen(Number(port))
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--callback-url: nobody can listen on the port ${port} (${error.code})`)
  })
  return {
    url,
    wait: async (clientOrderId, deadlineMs) => {
      const isOf = (query: string) => new URLSearchParams(query).get('client_orderid') === clientOrderId
      for (const end = performance.now() + deadlineMs; performance.now() < end; await setTimeout(LOOK_MS)) {
        const query = queries.find(isOf)
        if (query !== undefined) return query
      }
      return undefined
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
