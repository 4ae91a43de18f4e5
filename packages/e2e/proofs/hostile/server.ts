import { createServer } from 'node:net'
import { ATTACKS } from './attacks.ts'

/**
 * A process of its own, so that its memory does not count as the client's. Each connection gets the attack that its request path
 * names. It sends its port to its parent.
 */
const server = createServer((socket) => {
  socket.on('error', () => socket.destroy())
  socket.once('data', (chunk) => {
    const [, at = ''] = /^POST \/(\d+)\//.exec(chunk.toString('latin1')) ?? []
    Object.values(ATTACKS)[Number(at)]?.(socket)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.({ port: address?.port })
})
process.on('disconnect', () => process.exit())
