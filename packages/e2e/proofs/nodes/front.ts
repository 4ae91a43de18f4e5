import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Passed, type Passing, pass } from './passing.ts'

/** One address for several processes: each request goes to the next one that is up, and never to two. */
export interface Front {
  readonly origin: string
  close(): void
}

export interface FrontOptions {
  /** The addresses of the processes that are up now. */
  readonly backends: () => readonly string[]
  /** Wraps `toNext`, which passes a request to the next process. Default: only that. */
  readonly around?: (passed: Passed, toNext: () => Promise<Passing>) => Promise<Passing>
}

export async function startFront({ backends, around = (_, toNext) => toNext() }: FrontOptions): Promise<Front> {
  let turn = 0

  /** A process that has died since takes no connection: the next one is asked. */
  async function toNext(passed: Passed): Promise<Passing> {
    const origins = backends()
    const first = turn++
    for (let tried = 0; tried < origins.length; tried++) {
      const origin = origins[(first + tried) % origins.length]
      const passing = origin === undefined ? 'refused' : await pass(passed, origin)
      if (passing !== 'refused') return passing
    }
    return 'refused'
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const passed = await read(request)
    const passing = await around(passed, () => toNext(passed))
    // What is lost behind the front is lost for the sender as well.
    if (typeof passing === 'string') return void response.destroy()
    response.writeHead(passing.status, withoutHops(passing.headers)).end(passing.body, 'latin1')
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function read(request: IncomingMessage): Promise<Passed> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = '', url = '', headers } = request
  return { method, url, headers: withoutHops(headers), body: Buffer.concat(chunks) }
}

/** These belong to one connection. @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 RFC 9110 section 7.6.1} */
function withoutHops(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...others } = headers
  return others
}
