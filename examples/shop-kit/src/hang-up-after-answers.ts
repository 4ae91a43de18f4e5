import type { Server } from 'node:http'

/**
 * While a server closes, hangs up on whoever has been answered. By itself Node hangs up on those alone that wait when it begins,
 * and whoever gets an answer later holds up the end until the connection has been idle for long enough.
 */
export function hangUpAfterAnswers(server: Server): void {
  server.on('request', (_request, response) => {
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections()
    })
  })
}
