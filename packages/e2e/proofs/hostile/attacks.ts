import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

/** What a hostile gateway, or an attacker in its place, does with a connection once a request has come. */
export type Attack = (socket: Socket) => void

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/vnd.pay+json\r\n'
const REFUSED = 'HTTP/1.1 400 Bad Request\r\ncontent-type: application/vnd.pay+json\r\n'
const MEBIBYTE = 1_048_576
const filler = (byte: string) => byte.repeat(65_536)

/** Sends the text again and again for as long as the client reads. */
function pour(socket: Socket, text: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  }
  socket.on('drain', more)
  more()
}

function whole(body: string | Uint8Array, headers = '', head = OK): Attack {
  return (socket) => {
    socket.write(`${head}${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n`)
    socket.write(body)
  }
}

/** A refusal whose message must not take for ever to read. */
function refused(message: string): Attack {
  return whole(JSON.stringify({ type: 'validation-error', 'error-message': message }), '', REFUSED)
}

function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed) clearInterval(timer)
    else socket.write(text.charAt(at++ % text.length))
  }, 20)
}

const accepted = '"type":"async-response","paynet-order-id":"6768788"'

/** Attacks that end as a refusal, by the reply and by the status. */
export const REFUSALS: Readonly<Record<string, Attack>> = {
  'a refusal that quotes an escaped order': refused(`${encodeURIComponent('Оплата заказа ').repeat(10_000)}x`),
  'a refusal of half escapes': refused(`${'%12'.repeat(300_000)}x`),
  'a refusal of an endless order number': refused(`order ${'1'.repeat(900_000)}`),
  'a refusal with many orders': refused('order with '.repeat(80_000)),
  'a refusal of digits alone': refused('4444 '.repeat(180_000)),
  'a refusal of names without values': refused('cvv2='.repeat(180_000)),
}

/** The attacks by name. Those whose connection ends have a verdict at once, the others at the deadline or a limit. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'an endless body': (socket) => {
    socket.write(`${OK}\r\n`)
    pour(socket, filler('x'))
  },
  'an endless chunked body': (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`)
    pour(socket, `10000\r\n${filler('x')}\r\n`)
  },
  'an endless chunk extension': (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n5;`)
    pour(socket, filler('e'))
  },
  'endless trailers': (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`)
    pour(socket, 'x-trailer: 1\r\n'.repeat(4000))
  },
  'a million headers': (socket) => {
    socket.write(OK)
    pour(socket, 'x-header: 1\r\n'.repeat(4000))
  },
  'one endless header': (socket) => {
    socket.write(`${OK}x-header: `)
    pour(socket, filler('h'))
  },
  'an endless status line': (socket) => {
    socket.write('HTTP/1.1 200 ')
    pour(socket, filler('s'))
  },
  'endless provisional replies': (socket) =>
    pour(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1000)),
  'a body of 100 GB that is announced and never comes': (socket) => {
    socket.write(`${OK}content-length: 100000000000\r\n\r\n{`)
  },
  'a compressed bomb': whole(gzipSync(Buffer.alloc(256 * MEBIBYTE), { level: 9 }), 'content-encoding: gzip\r\n'),
  'a dripping head': (socket) => drip(socket, `${OK}x-header: ${'y'.repeat(10_000)}`),
  'a dripping body': (socket) => {
    socket.write(`${OK}content-length: 100000\r\n\r\n`)
    drip(socket, '{')
  },
  silence: () => undefined,
  'JSON that nests a hundred thousand deep': whole(`{"type":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  'JSON of a hundred thousand names': whole(
    `{${Array.from({ length: 50_000 }, (_, at) => `"n${at}":1`).join(',')},${accepted}}`,
  ),
  'JSON with __proto__': whole(`{"__proto__":{"type":"async-response","paynet-order-id":"1"},"constructor":"x"}`),
  'an order id that is a list': whole('{"type":"async-response","paynet-order-id":["6768788"]'),
  'an order id that is an object': whole('{"type":{"a":1},"paynet-order-id":{"b":2}'),
  'a form of a million names': whole(`type=async-response\n${'&a=1\n'.repeat(150_000)}`),
  'bytes that are no text': whole(Buffer.alloc(500_000, 0xff)),
  'a redirect to elsewhere': (socket) => {
    socket.write(
      'HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:9/elsewhere\r\ncontent-length: 0\r\n\r\n',
    )
  },
  'a redirect without TLS': (socket) => {
    socket.write('HTTP/1.1 301 Moved\r\nlocation: http://gate.example.com/\r\ncontent-length: 0\r\n\r\n')
  },
  'an upgrade': (socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n')
  },
  'two replies to one request': (socket) => {
    const one = `${OK}content-length: 2\r\n\r\n{}`
    socket.write(one + one)
  },
  ...REFUSALS,
}
