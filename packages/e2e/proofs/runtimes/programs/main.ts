/** Serves the program under Node, Bun and Deno. The first line of the output is the address. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { answer } from './program.ts'

type Serve = (options: { port: number; hostname: string; fetch: typeof answer }) => { readonly port: number }
const runtime = globalThis as { readonly Bun?: { serve: Serve }; readonly Deno?: { serve: typeof serveDeno } }
declare function serveDeno(
  options: { port: number; hostname: string; onListen: (at: { port: number }) => void },
  handler: typeof answer,
): unknown

const at = { port: 0, hostname: '127.0.0.1' }
const tell = ({ port }: { port: number }) => process.stdout.write(`http://127.0.0.1:${port}\n`)

if (runtime.Bun !== undefined) tell(runtime.Bun.serve({ ...at, fetch: answer }))
else if (runtime.Deno !== undefined) runtime.Deno.serve({ ...at, onListen: tell }, answer)
else serveNode()

/** Node has no server of `Request` and `Response`. */
function serveNode(): void {
  const server = createServer((incoming, response) => void handle(incoming, response).catch(() => response.destroy()))
  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '' } = incoming
    const request = new Request(`http://127.0.0.1${url}`, {
      method,
      ...(method === 'GET' ? {} : { body: await text(incoming) }),
    })
    const reply = await answer(request)
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text())
  }
  server.listen(0, '127.0.0.1', () => tell(server.address() as AddressInfo))
}
