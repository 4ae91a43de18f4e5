import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { drip, pour } from '../harness/hostile-sockets.ts'

/** What a hostile gateway, or an attacker in its place, does with a connection once a request has come. */
export type Attack = (socket: Socket) => void

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/vnd.pay+json\r\n'
const REFUSED = 'HTTP/1.1 400 Bad Request\r\ncontent-type: application/vnd.pay+json\r\n'
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`
const MEBIBYTE = 1_048_576
const filler = (byte: string) => byte.repeat(65_536)

/** Begins a reply, and goes on with it without end. */
const endless =
  (begin: string, more: string): Attack =>
  (socket) =>
    pour(socket, begin, more)

const dripping =
  (begin: string, text: string): Attack =>
  (socket) =>
    drip(socket, begin, text, 20)

const says =
  (text: string): Attack =>
  (socket) =>
    void socket.write(text)

function redirect(status: string, to: string): Attack {
  return says(`HTTP/1.1 ${status}\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`)
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
  'an endless body': endless(`${OK}\r\n`, filler('x')),
  'an endless chunked body': endless(CHUNKED, `10000\r\n${filler('x')}\r\n`),
  'an endless chunk extension': endless(`${CHUNKED}5;`, filler('e')),
  'endless trailers': endless(`${CHUNKED}0\r\n`, 'x-trailer: 1\r\n'.repeat(4000)),
  'a million headers': endless(OK, 'x-header: 1\r\n'.repeat(4000)),
  'one endless header': endless(`${OK}x-header: `, filler('h')),
  'an endless status line': endless('HTTP/1.1 200 ', filler('s')),
  'endless provisional replies': endless('', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1000)),
  'a body of 100 GB that is announced and never comes': says(`${OK}content-length: 100000000000\r\n\r\n{`),
  'a compressed bomb': whole(gzipSync(Buffer.alloc(256 * MEBIBYTE), { level: 9 }), 'content-encoding: gzip\r\n'),
  'a dripping head': dripping('', `${OK}x-header: ${'y'.repeat(10_000)}`),
  'a dripping body': dripping(`${OK}content-length: 100000\r\n\r\n`, '{'),
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
  'a redirect to elsewhere': redirect('307 Temporary Redirect', 'http://127.0.0.1:9/elsewhere'),
  'a redirect without TLS': redirect('301 Moved', 'http://gate.example.com/'),
  'an upgrade': says('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
  'two replies to one request': says(`${OK}content-length: 2\r\n\r\n{}`.repeat(2)),
  ...REFUSALS,
}
