import type { Server } from 'node:http'

/**
 * While a server closes, closes each connection once its response is sent. Node itself only closes the connections that are idle
 * when closing begins: one that gets its response later would delay the end until its idle timeout.
 */
export function hangUpAfterAnswers(server: Server): void {
  server.on('request', (_request, response) => {
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections()
    })
  })
}
