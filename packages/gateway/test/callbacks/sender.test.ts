import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createSilentServer, type Socket } from 'node:net'
import { buildConnector } from 'undici'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type CallbackSender, callbackSender } from '../../src/callbacks/sender.ts'
import { selfSigned } from '../support/self-signed.ts'

const servers: Server[] = []
const senders: CallbackSender[] = []
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await Promise.all(senders.splice(0).map((sender) => sender.close()))
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function listening(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A shop on this machine with this answer, and a sender to call it with. */
async function shop(answer: RequestListener) {
  const seen: IncomingMessage[] = []
  let connections = 0
  const server = createServer((incoming, response) => {
    seen.push(incoming)
    answer(incoming, response)
  }).on('connection', () => connections++)
  const port = await listening(server)
  const sender = callbackSender({ sandbox: true })
  senders.push(sender)
  return { seen, sender, origin: `http://127.0.0.1:${port}`, port, server, connections: () => connections }
}

/** Connects as undici does, and keeps the sockets. */
function keepingSockets() {
  const sockets: Socket[] = []
  const connect = (options: buildConnector.BuildOptions): buildConnector.connector => {
    const open = buildConnector(options)
    return (to, callback) =>
      open(to, (...[error, socket]) => {
        if (error !== null) return callback(error, null)
        sockets.push(socket)
        callback(null, socket)
      })
  }
  return { connect, sockets }
}

describe('a callback over HTTP', () => {
  test('[G6-01] is a GET of the address as it is, without a body, and returns the status', async () => {
    const { seen, sender, origin, port } = await shop((_incoming, response) => response.writeHead(202).end('thanks'))
    const answer = await sender.send(`${origin}/cb?shop=7&status=approved&x=%C3%A4%20b`)
    expect(answer).toEqual({ status: 202, retryAfter: undefined })
    expect(seen.map(({ method, url, httpVersion }) => [method, url, httpVersion])).toEqual([
      ['GET', '/cb?shop=7&status=approved&x=%C3%A4%20b', '1.1'],
    ])
    expect(seen[0]?.headers).not.toHaveProperty('content-length')
    expect(seen[0]?.headers.host).toBe(`127.0.0.1:${port}`)
  })

  test('names the host as the merchant did', async () => {
    const { seen, sender, port } = await shop((_incoming, response) => response.end())
    await sender.send(`http://LOCALHOST:${port}/`)
    expect(seen[0]?.headers.host).toBe(`localhost:${port}`)
  })

  test('goes over the connection of one that has just ended, and never over that of another', async () => {
    const { sender, origin, connections } = await shop((_incoming, response) => response.end())
    for (let at = 0; at < 3; at++) await sender.send(origin)
    expect(connections()).toBe(1)
    await Promise.all([sender.send(origin), sender.send(origin)])
    expect(connections()).toBe(2)
  })

  test('goes over another connection if the shop closes that of the one before', async () => {
    const { sender, origin, seen, connections } = await shop((_incoming, response) => {
      if (seen.length === 2) response.destroy()
      else response.end()
    })
    for (let at = 0; at < 2; at++) expect((await sender.send(origin)).status).toBe(200)
    expect([seen.length, connections()]).toEqual([3, 2])
  })

  test('goes over another connection if that one was told to end', async () => {
    const { sender, origin, connections } = await shop((_incoming, response) =>
      response.setHeader('connection', 'close').end(),
    )
    for (let at = 0; at < 3; at++) expect((await sender.send(origin)).status).toBe(200)
    expect(connections()).toBe(3)
  })

  test('returns the Retry-After header as it came', async () => {
    const { sender, origin } = await shop((_incoming, response) =>
      response.writeHead(503, { 'retry-after': '120' }).end(),
    )
    expect(await sender.send(origin)).toEqual({ status: 503, retryAfter: '120' })
  })

  test('returns no Retry-After if there are two', async () => {
    const { sender, origin } = await shop((_incoming, response) => {
      response
        .writeHead(503, [
          ['retry-after', '1'],
          ['retry-after', '2'],
        ])
        .end()
    })
    expect(await sender.send(origin)).toEqual({ status: 503, retryAfter: undefined })
  })

  test.for([301, 302, 303, 307, 308])('does not follow a %i', async (status) => {
    const { seen, sender, origin } = await shop((_incoming, response) => {
      response.writeHead(status, { location: `${origin}/elsewhere` }).end()
    })
    expect((await sender.send(`${origin}/cb`)).status).toBe(status)
    expect(seen.map(({ url }) => url)).toEqual(['/cb'])
  })

  test('reads no more than 64 KiB of an answer, and believes its status', async () => {
    const chunk = 'x'.repeat(65_536)
    const { origin } = await shop((_incoming, response) => {
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        response.once('drain', more)
      }
      more()
    })
    const { connect, sockets } = keepingSockets()
    const sender = callbackSender({ sandbox: true, connect })
    senders.push(sender)
    expect((await sender.send(origin)).status).toBe(200)
    // Node reads up to 64 KiB at a time. What waits in the kernel has not been read.
    expect(sockets[0]?.bytesRead).toBeLessThan(3 * 65_536)
  })

  test('believes the status of an answer that breaks off', async () => {
    const { sender, origin } = await shop((_incoming, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('part', () => response.destroy())
    })
    expect((await sender.send(origin)).status).toBe(200)
  })

  test('goes to any port of this machine in a sandbox, and to none elsewhere', async () => {
    const { origin, connections } = await shop((_incoming, response) => response.end())
    const refused = { code: 'ADDRESS_NOT_ALLOWED', issue: 'port' }
    await expect(callbackSender().send(origin)).rejects.toMatchObject(refused)
    expect(connections()).toBe(0)
  })

  test('[G6-04] goes to ports 80 and 8080 for http, 443 and 8443 for https', async () => {
    const asked: string[] = []
    const { send } = callbackSender({
      resolve: async () => ['8.8.8.8'],
      connect: () => (options, callback) => {
        asked.push(options.protocol + options.port)
        callback(new Error('no'), null)
      },
    })
    for (const port of [80, 443, 8080, 8443, 8000, 3000]) {
      for (const scheme of ['http', 'https']) await send(`${scheme}://shop.example.com:${port}/`).catch(() => undefined)
    }
    expect(asked).toEqual(['http:', 'https:', 'http:8080', 'https:8443'])
  })
})

describe('a callback fails', () => {
  test('when nobody answers', async () => {
    const { sender, origin, server } = await shop((incoming) => incoming.socket.destroy())
    await expect(sender.send(origin)).rejects.toThrow('other side closed')
    await new Promise((resolve) => server.close(resolve))
    await expect(sender.send(origin)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('once, when the other side hangs up before it has received anything', async () => {
    const { sender, origin, server, connections } = await shop((_incoming, response) => response.end())
    server.on('connection', (socket) => socket.destroy())
    await expect(sender.send(origin)).rejects.toMatchObject({
      code: expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/),
    })
    expect(connections()).toBe(1)
  })

  test('after 15 seconds without an answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const asked = Promise.withResolvers<void>()
    const { sender, origin } = await shop(() => asked.resolve())
    const sending = sender.send(origin)
    let isOver = false
    const outcome = sending
      .catch((error: unknown) => error)
      .finally(() => {
        isOver = true
      })
    await asked.promise
    await vi.advanceTimersByTimeAsync(14_999)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toMatchObject({ code: 'TIMED_OUT' })
  })

  test('after 15 seconds of looking up its name', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const sender = callbackSender({ resolve: () => new Promise(() => undefined) })
    const outcome = sender.send('http://shop.example.com/').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await outcome).toMatchObject({ code: 'TIMED_OUT' })
  })

  test('never once its status is known, however slowly the rest comes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { sender, origin } = await shop((_incoming, response) => void response.writeHead(200).write('slow'))
    const { promise: headers, resolve } = Promise.withResolvers<unknown>()
    subscribe('undici:request:headers', resolve)
    const sending = sender.send(origin)
    await headers
    unsubscribe('undici:request:headers', resolve)
    await vi.advanceTimersByTimeAsync(15_000)
    expect((await sending).status).toBe(200)
  })

  test('when the sender is closed, and after', async () => {
    const asked = Promise.withResolvers<void>()
    const { sender, origin, seen } = await shop(() => asked.resolve())
    const outcome = sender.send(origin).catch((error: unknown) => error)
    await asked.promise
    await sender.close()
    expect(await outcome).toMatchObject({ code: 'SENDER_CLOSED' })
    await expect(sender.send(origin)).rejects.toMatchObject({ code: 'SENDER_CLOSED' })
    expect(seen).toHaveLength(1)
  })
})

describe('TLS', () => {
  test('whose handshake never ends is dropped when the attempt ends', async () => {
    const connected = Promise.withResolvers<Socket>()
    const silent = createSilentServer((socket) => connected.resolve(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const sender = callbackSender({ sandbox: true })
    const outcome = sender.send(`https://127.0.0.1:${port}/`).catch((error: unknown) => error)
    const socket = await connected.promise
    const dropped = new Promise((resolve) => socket.on('error', resolve).on('close', resolve).resume())
    await sender.close()
    expect(await outcome).toMatchObject({ code: 'SENDER_CLOSED' })
    await dropped
    silent.close()
  })

  /** A shop that has a certificate for these names, and a sender that trusts its issuer. */
  async function tlsShop(...names: readonly string[]) {
    const { key, cert } = selfSigned(...names)
    const hosts: unknown[] = []
    const servernames: unknown[] = []
    const server = createTlsServer({ key, cert }, (incoming, response) => {
      hosts.push(incoming.headers.host)
      response.end()
    }).on('secureConnection', (socket) => servernames.push(socket.servername))
    const port = await listening(server)
    const resolve = async () => ['127.0.0.1']
    const trusting = callbackSender({
      sandbox: true,
      resolve,
      connect: (options) => buildConnector({ ...options, ca: cert }),
    })
    return { port, hosts, servernames, trusting, strange: callbackSender({ sandbox: true, resolve }) }
  }

  test('asks for the name that the merchant gave, at the address that was checked', async () => {
    const { port, hosts, servernames, trusting } = await tlsShop('shop.example.com')
    expect((await trusting.send(`https://shop.example.com:${port}/cb`)).status).toBe(200)
    expect((await trusting.send(`https://shop.example.com.:${port}/cb`)).status).toBe(200)
    expect(servernames).toEqual(['shop.example.com', 'shop.example.com'])
    expect(hosts).toEqual([`shop.example.com:${port}`, `shop.example.com.:${port}`])
  })

  test('fails if the certificate is for another name, however often it is tried', async () => {
    const { port, hosts, trusting } = await tlsShop('other.example.com')
    for (let at = 0; at < 3; at++) {
      const sending = trusting.send(`https://shop.example.com:${port}/cb`)
      await expect(sending).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    }
    expect(hosts).toEqual([])
  })

  test('fails if nobody vouches for the certificate, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { port, hosts, strange } = await tlsShop('shop.example.com')
    const sending = strange.send(`https://shop.example.com:${port}/cb`)
    await expect(sending).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(hosts).toEqual([])
  })
})
