import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { callbackSender } from '../../src/rims/callback-sender.ts'

const servers: Server[] = []
const senders: Array<{ close(): Promise<void> }> = []
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()))
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A shop that answers so, and a sender to call it with. */
async function shop(answer: RequestListener) {
  const seen: IncomingMessage[] = []
  const server = createServer((incoming, response) => {
    seen.push(incoming)
    answer(incoming, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sender = callbackSender()
  senders.push(sender)
  return { seen, sender, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

describe('a callback over HTTP', () => {
  test('[G6-01] is a GET of the address as it is, without a body, and gives the status', async () => {
    const { seen, sender, origin } = await shop((_incoming, response) => response.writeHead(202).end('thanks'))
    expect(await sender.send(`${origin}/cb?shop=7&status=approved&x=%C3%A4%20b`)).toBe(202)
    expect(seen.map(({ method, url, httpVersion }) => [method, url, httpVersion])).toEqual([
      ['GET', '/cb?shop=7&status=approved&x=%C3%A4%20b', '1.1'],
    ])
    expect(seen[0]?.headers).not.toHaveProperty('content-length')
  })

  test.for([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    const { seen, sender, origin } = await shop((_incoming, response) => {
      response.writeHead(status, { location: `${origin}/elsewhere` }).end()
    })
    expect(await sender.send(`${origin}/cb`)).toBe(status)
    expect(seen.map(({ url }) => url)).toEqual(['/cb'])
  })

  test('reads no more than 64 KiB of an answer, and believes its status', async () => {
    const chunk = 'x'.repeat(65_536)
    let sent = 0
    const { sender, origin } = await shop((_incoming, response) => {
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length
        response.once('drain', more)
      }
      more()
    })
    expect(await sender.send(origin)).toBe(200)
    expect(sent).toBeLessThan(50_000_000)
  })

  test('believes the status of an answer that breaks off', async () => {
    const { sender, origin } = await shop((_incoming, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('part', () => response.destroy())
    })
    expect(await sender.send(origin)).toBe(200)
  })

  test('fails when nobody answers', async () => {
    const { sender, origin, server } = await shop((incoming) => incoming.socket.destroy())
    await expect(sender.send(origin)).rejects.toThrow('other side closed')
    await new Promise((resolve) => server.close(resolve))
    await expect(sender.send(origin)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('fails for an address that is none', async () => {
    await expect(callbackSender().send('http://[')).rejects.toThrow(/URL/)
  })

  test('fails after the sender was closed', async () => {
    const { sender, origin, seen } = await shop((_incoming, response) => response.end())
    senders.pop()
    await sender.close()
    await expect(sender.send(origin)).rejects.toMatchObject({
      code: expect.stringMatching(/^UND_ERR_(CLOSED|DESTROYED)$/),
    })
    expect(seen).toEqual([])
  })
})
