import { type AddressInfo, createServer } from 'node:net'
import { underParent } from '@tallystick/proof-kit'
import { ATTACKS } from './attacks.ts'

/** What the server does when a request comes: the attack that its path names. A process of its own, whose memory is not the client's. */
const { call, serve } = underParent<object, object>()
const server = createServer((socket) => {
  socket.on('error', () => socket.destroy())
  socket.once('data', (chunk) => {
    const [, at = ''] = /^POST \/(\d+)\//.exec(chunk.toString('latin1')) ?? []
    Object.values(ATTACKS)[Number(at)]?.(socket)
  })
})
serve({ stop: async () => {} })
server.listen(0, '127.0.0.1', () => void call('ready', `http://127.0.0.1:${(server.address() as AddressInfo).port}`))
