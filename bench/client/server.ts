import { createServer, type Socket } from 'node:net'
import { gatewayAnswer, stripeAnswer } from './answers.ts'

/**
 * Answers every request on persistent connections as the server of its path does, and does nothing else, to measure only the
 * client. Speaks just enough HTTP for clients that send `content-length`. Reports its port to the process that forked it.
 */

/** How long it waits before an answer: its argument, in milliseconds. */
const DELAY_MS = Number(process.argv[2] ?? 0)

const HEAD_END = Buffer.from('\r\n\r\n')

const server = createServer({ noDelay: true }, (socket) => {
  let rest: Buffer = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    rest = answerWhole(rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]), socket)
  })
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.({ port: address?.port })
})
process.on('disconnect', () => process.exit())

/** Answers the complete requests, and returns the remaining bytes. */
function answerWhole(bytes: Buffer, socket: Socket): Buffer {
  let at = 0
  for (;;) {
    const headEnd = bytes.indexOf(HEAD_END, at)
    if (headEnd < 0) return bytes.subarray(at)
    const head = bytes.toString('latin1', at, headEnd)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const end = headEnd + HEAD_END.byteLength + length
    if (bytes.byteLength < end) return bytes.subarray(at)
    const answer = answerTo(bytes.toString('latin1', at, end))
    at = end
    if (DELAY_MS === 0) socket.write(answer)
    else setTimeout(() => socket.write(answer), DELAY_MS)
  }
}

function answerTo(request: string): string {
  return request.startsWith('POST /paynet/') ? gatewayAnswer(request) : stripeAnswer()
}
