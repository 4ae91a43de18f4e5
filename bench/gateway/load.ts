import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'

/** Sends prepared requests on persistent connections, one after the other on each, and checks every answer. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly requests: readonly Uint8Array[]
  /** Throws if an answer is wrong. */
  readonly check: (body: string, index: number) => void
}

/** Resolves when all are answered. */
export async function send({ port, connections, requests, check }: Load): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      const replies = answersOf(socket)
      for (let index = next++; index < requests.length; index = next++) {
        const request = requests[index]
        if (request !== undefined) socket.write(request)
        const { value, done } = await replies.next()
        assert.ok(done !== true, 'the server closed the connection')
        check(value, index)
      }
      socket.destroy()
    }),
  )
}

/** The bodies of the answers on a connection, each with a content-length. */
async function* answersOf(socket: Socket): AsyncGenerator<string, void> {
  let text = ''
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1')
    for (let end = endOf(text); end !== undefined; end = endOf(text)) {
      yield text.slice(text.indexOf('\r\n\r\n') + 4, end)
      text = text.slice(end)
    }
  }
}

function endOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const [, length = '0'] = /content-length: (\d+)/i.exec(text.slice(0, head)) ?? []
  const end = head + 4 + Number(length)
  return text.length < end ? undefined : end
}
