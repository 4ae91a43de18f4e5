import { createServer, type Socket } from 'node:net'

/**
 * Answers every request on persistent connections with a body chosen by its path, and does nothing else, to measure only the
 * client. Speaks just enough HTTP for clients that send `content-length`. Reports its port to the process that forked it.
 */

/** How long it waits before an answer: its argument, in milliseconds. */
const DELAY_MS = Number(process.argv[2] ?? 0)

const ANSWERS: Readonly<Record<string, string>> = {
  '/paynet/':
    '{"type":"async-response","serial-number":"00000000-0000-0000-0000-000002d9b22a","paynet-order-id":"6768788"}',
  '/v1/': '{"id":"pi_1","object":"payment_intent","amount":1042,"currency":"usd","status":"succeeded"}',
}

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
    at = end
    if (DELAY_MS === 0) socket.write(answerOf(head))
    else setTimeout(() => socket.write(answerOf(head)), DELAY_MS)
  }
}

function answerOf(head: string): string {
  const [, body = '{}'] = Object.entries(ANSWERS).find(([path]) => head.startsWith(`POST ${path}`)) ?? []
  return `HTTP/1.1 200 OK\r\ncontent-type: application/vnd.pay+json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
