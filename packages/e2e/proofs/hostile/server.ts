/** Does what the path of a request names. A process of its own, whose memory is not the client's. */
import { createServer } from 'node:net'
import { listenOn, underParent } from '@tallystick/proof-kit'
import { ATTACKS } from './attacks.ts'

const { call, serve } = underParent<object, object>()
const server = createServer((socket) => {
  socket.on('error', () => socket.destroy())
  socket.once('data', (chunk) => {
    const [, at = ''] = /^POST \/(\d+)\//.exec(chunk.toString('latin1')) ?? []
    Object.values(ATTACKS)[Number(at)]?.(socket)
  })
})
const { origin, close } = await listenOn(server)
serve({ stop: close })
void call('ready', origin)
