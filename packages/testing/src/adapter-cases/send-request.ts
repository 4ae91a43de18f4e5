import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { RenderedRequest } from './render-request.ts'

export interface SeenAnswer {
  /** `0`: the connection ended without an answer; `cut`: within it. */
  readonly status: number | 'cut'
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** An adapter that has not answered by then fails. */
const PATIENCE_MS = 10_000
const NO_ANSWER: SeenAnswer = { status: 0, headers: {}, body: '' }

/** Sends a request over a connection of its own, byte for byte, and waits until it is answered or its connection ends. */
export function sendRequest(origin: string, rendered: RenderedRequest): Promise<SeenAnswer> {
  const { method, path, headers, body } = rendered
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}${path}`, { method, agent: false, timeout: PATIENCE_MS })
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
    outgoing.once('timeout', () => {
      reject(new Error(`${method} ${path} was not answered within ${PATIENCE_MS / 1000} s`))
      outgoing.destroy()
    })
    outgoing.once('error', () => resolve(NO_ANSWER))
    outgoing.once('response', (incoming) => readAnswer(incoming, resolve))
    if (body === undefined) outgoing.end()
    else writeBody(outgoing, rendered, body)
  })
}

function readAnswer(incoming: IncomingMessage, resolve: (answer: SeenAnswer) => void): void {
  const { statusCode = 0, headers } = incoming
  let body = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (text: string) => {
    body += text
  })
  incoming.once('close', () => resolve({ status: incoming.complete ? statusCode : 'cut', headers, body }))
  incoming.once('error', () => {})
}

function writeBody(outgoing: ClientRequest, { sent }: RenderedRequest, body: Uint8Array): void {
  const half = Math.floor(body.byteLength / 2)
  switch (sent) {
    case 'in-pieces':
      return void outgoing.write(body.subarray(0, half), () => setImmediate(() => outgoing.end(body.subarray(half))))
    case 'cut-short':
      outgoing.setHeader('content-length', body.byteLength)
      return void outgoing.write(body.subarray(0, half), () => outgoing.destroy())
    case undefined:
      outgoing.setHeader('content-length', body.byteLength)
      return void outgoing.end(body)
  }
}
