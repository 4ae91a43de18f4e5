import { type Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type Listening, listenOn } from '@tallystick/proof-kit'

/** A request as it is handed from one process to the next, unchanged. */
export interface Passed {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** How a request was handed on: with an answer; `refused`: not one byte left; `lost`: it may have arrived. */
export type Handoff =
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }
  | 'refused'
  | 'lost'

export function handOff({ method, url, headers, body }: Passed, origin: string, agent?: Agent): Promise<Handoff> {
  return new Promise((resolve) => {
    const { hostname: host, port } = new URL(origin)
    const outgoing = send({ host, port, path: url, method, headers, agent: agent ?? false }, (response) => {
      let text = ''
      response.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
      response.once('close', () => resolve('lost'))
    })
    outgoing.once('error', (error) => {
      resolve('code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'lost')
    })
    outgoing.end(body)
  })
}

/**
 * One address for several processes: each request goes to the next one that is up, and never to two.
 *
 * @param backends the addresses of the processes that are up now
 * @param around wraps `toNext`, which hands a request to the next process
 */
export async function startFront(
  backends: () => readonly string[],
  around: (passed: Passed, toNext: () => Promise<Handoff>) => Promise<Handoff>,
): Promise<Listening> {
  let turn = 0

  /** A process that has died since takes no connection: the next one is asked. */
  async function toNext(passed: Passed): Promise<Handoff> {
    const origins = backends()
    const first = turn++
    for (let tried = 0; tried < origins.length; tried++) {
      const origin = origins[(first + tried) % origins.length]
      const handoff = origin === undefined ? 'refused' : await handOff(passed, origin)
      if (handoff !== 'refused') return handoff
    }
    return 'refused'
  }

  const server = createServer((request, response) => {
    const serve = async () => {
      const passed = await read(request)
      const handoff = await around(passed, () => toNext(passed))
      // What is lost behind the front is lost for the sender as well.
      if (typeof handoff === 'string') response.destroy()
      else response.writeHead(handoff.status, withoutHops(handoff.headers)).end(handoff.body, 'latin1')
    }
    serve().catch(() => response.destroy())
  })
  return await listenOn(server)
}

async function read(request: IncomingMessage): Promise<Passed> {
  const { method = '', url = '', headers } = request
  return { method, url, headers: withoutHops(headers), body: await buffer(request) }
}

/** These belong to one connection. @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 RFC 9110 section 7.6.1} */
function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...others } = headers
  return others
}
