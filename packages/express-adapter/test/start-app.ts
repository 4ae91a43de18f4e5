import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ErrorRequestHandler, Express } from 'express'
import { afterEach } from 'vitest'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** Serves an app until the test ends. Gives its address. */
export async function startApp(app: Express): Promise<string> {
  const server = createServer(app)
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An error handler of an app, which also records the errors. */
export function keepErrors(errors: unknown[]): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    errors.push(error)
    if (!response.headersSent) response.status(error.status ?? 500).end()
  }
}
