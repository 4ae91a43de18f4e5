import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { UsageError } from '../arguments/parse.ts'
import type { CallbackListener, ListenAddress } from '../certify/callback-place.ts'

/** How often it looks whether a callback came. */
const LOOK_MS = 50

/** @throws UsageError if nobody can listen there */
export async function listenForCallbacks({ host, port }: ListenAddress): Promise<CallbackListener> {
  const queries: string[] = []
  const server = createServer((request, response) => {
    queries.push(request.url?.replace(/^[^?]*\?/, '') ?? '')
    response.end('OK')
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const where = host === undefined ? `the port ${port}` : `the port ${port} of ${host}`
    throw new UsageError(`nobody can listen on ${where} (${error.code}): give another with --callback-listen`)
  })
  return {
    received: () => queries.length,
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
