import { createServer } from 'node:net'
import { ATTACKS } from './attacks.ts'

/**
 * A process of its own, so that what it takes is not counted to the client. Each connection gets the attack that the name in
 * its request path asks for. Tells its port.
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
