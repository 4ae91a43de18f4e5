import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Exchange, type UndiciTransportOptions, undiciTransport } from '@tallystick/client'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { selfSigned } from '../../gateway/test/support/self-signed.ts'

/** A shop in a network of its own: it reaches the gateway through a proxy, and shows a certificate. */

const HOST = 'gate.example.com'
const server = selfSigned(HOST)
const shop = selfSigned('shop.example.com')

async function portOf(listening: Server): Promise<number> {
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => void listening.close())
  return (listening.address() as AddressInfo).port
}

/** A gateway over TLS that says whose certificate it was shown. */
async function startGateway(options: ServerOptions = {}): Promise<number> {
  return await portOf(
    createHttpsServer({ ...server, ...options }, (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate()
      request.resume().once('end', () => response.end(`${request.headers.host} for ${subject?.CN ?? 'nobody'}`))
    }),
  )
}

/** A proxy to one port, which records the requests to it. */
async function startProxy(to: number, status = '200 Connection established') {
  const asked: IncomingMessage[] = []
  const proxy = createHttpServer().on('connect', (request, socket) => {
    asked.push(request)
    socket.on('error', () => undefined)
    socket.write(`HTTP/1.1 ${status}\r\n\r\n`)
    if (!status.startsWith('2')) return
    const onward = connect(to, '127.0.0.1').on('error', () => undefined)
    socket.pipe(onward).pipe(socket)
  })
  return { asked, port: await portOf(proxy) }
}

async function send(
  options: UndiciTransportOptions,
  url = `https://${HOST}/paynet/api/v2/sale/253`,
): Promise<Exchange> {
  const transport = undiciTransport(options)
  const exchange = await transport.send({ url, headers: {}, body: 'client_orderid=a' }, { timeoutMs: 5000 })
  await transport.close()
  return exchange
}

let gatewayPort: number
beforeEach(async () => {
  gatewayPort = await startGateway({ requestCert: true, rejectUnauthorized: false })
})

describe('a proxy', () => {
  const tls = { ca: server.cert }

  test('tunnels to the gateway, whose certificate is verified for the name that was asked for', async () => {
    const { asked, port } = await startProxy(gatewayPort)
    const exchange = await send({ proxy: `http://127.0.0.1:${port}`, tls })
    expect(exchange).toMatchObject({ kind: 'replied', body: `${HOST} for nobody` })
    expect(asked.map(({ url, headers }) => [url, headers['proxy-authorization']])).toEqual([[`${HOST}:443`, undefined]])
  })

  test('may confirm the connection with any success status', async () => {
    const { port } = await startProxy(gatewayPort, '299 Connected')
    expect(await send({ proxy: `http://127.0.0.1:${port}`, tls })).toMatchObject({ kind: 'replied' })
  })

  test('gets the user and the password, and the gateway gets neither', async () => {
    const { asked, port } = await startProxy(gatewayPort)
    const url = `https://${HOST}:8443/paynet`
    const exchange = await send({ proxy: `http://shop:p%40ss@127.0.0.1:${port}`, tls }, url)
    expect(exchange).toMatchObject({ kind: 'replied', body: `${HOST}:8443 for nobody` })
    // Of "shop:p@ss", by base64.
    expect(asked[0]?.headers).toEqual({
      host: `${HOST}:8443`,
      connection: 'close',
      'proxy-authorization': 'Basic c2hvcDpwQHNz',
      'user-agent': 'tallystick-client',
    })
  })

  test('gets a password as it is written, if its percent sign escapes nothing', async () => {
    const { asked, port } = await startProxy(gatewayPort)
    expect(await send({ proxy: `http://shop:50%off@127.0.0.1:${port}`, tls })).toMatchObject({ kind: 'replied' })
    // Of "shop:50%off", by base64.
    expect(asked[0]?.headers['proxy-authorization']).toBe('Basic c2hvcDo1MCVvZmY=')
  })

  test('cannot substitute a gateway of its own', async () => {
    const stranger = await startGateway(selfSigned(HOST))
    const { port } = await startProxy(stranger)
    const advice =
      'no authority that Node knows has signed its certificate, as behind a proxy that inspects TLS: ' +
      'name the file of that authority in NODE_EXTRA_CA_CERTS, or give it as tls.ca of undiciTransport'
    const seen = `the connection to https://${HOST} failed with DEPTH_ZERO_SELF_SIGNED_CERT: ${advice}`
    expect(await send({ proxy: `http://127.0.0.1:${port}`, tls })).toEqual({ kind: 'not-sent', seen })
  })

  test.each([
    ['302 Found', 'PROXY_ANSWERED_302'],
    ['407 Proxy Authentication Required', 'PROXY_ANSWERED_407'],
    ['502 Bad Gateway', 'PROXY_ANSWERED_502'],
  ])('that answers %s has sent nothing', async (status, code) => {
    const { port } = await startProxy(gatewayPort, status)
    const seen = `the connection to https://${HOST} failed with ${code}`
    expect(await send({ proxy: `http://shop:wrong@127.0.0.1:${port}` })).toEqual({ kind: 'not-sent', seen })
  })

  test('that is not there, or does not answer, has sent nothing', async () => {
    expect(await send({ proxy: 'http://127.0.0.1:1' })).toMatchObject({
      kind: 'not-sent',
      seen: `the connection to https://${HOST} failed with ECONNREFUSED`,
    })
    const silent = createHttpServer().on('connect', () => undefined)
    const proxy = `http://127.0.0.1:${await portOf(silent)}`
    expect(await send({ proxy, connectTimeoutMs: 50 })).toMatchObject({
      kind: 'not-sent',
      seen: `the connection to https://${HOST} failed with PROXY_TIMEOUT`,
    })
    silent.closeAllConnections()
  })

  test('is not used for a gateway without TLS', async () => {
    const plain = createHttpServer((request, response) => request.resume().once('end', () => response.end('{}')))
    const { asked, port } = await startProxy(gatewayPort)
    const url = `http://127.0.0.1:${await portOf(plain)}/`
    expect(await send({ proxy: `http://127.0.0.1:${port}` }, url)).toMatchObject({ kind: 'replied' })
    expect(asked).toEqual([])
  })
})

describe('a certificate of the shop', () => {
  test('is shown to the gateway, with a proxy and without', async () => {
    const { port } = await startProxy(gatewayPort)
    const tls = { ca: server.cert, ...shop }
    expect(await send({ proxy: `http://127.0.0.1:${port}`, tls })).toMatchObject({
      body: `${HOST} for shop.example.com`,
    })
    const local = selfSigned('localhost')
    const direct = await startGateway({ ...local, requestCert: true, rejectUnauthorized: false })
    const exchange = await send({ tls: { ca: local.cert, ...shop } }, `https://localhost:${direct}/`)
    expect(exchange).toMatchObject({ body: `localhost:${direct} for shop.example.com` })
  })

  test('is checked at the start, and a wrong one is not quoted', () => {
    const made = (tls: object) => () => undiciTransport({ tls })
    expect(made({ cert: shop.cert, key: 'a key' })).toThrow(/^undiciTransport: tls: (?!.*a key)/)
    expect(made({ cert: shop.cert, key: server.key })).toThrow(/^undiciTransport: tls: .*key/)
    expect(made({ certificate: shop.cert })).toThrow('undiciTransport: tls: there is no option certificate; ')
    expect(made({ rejectUnauthorized: false })).toThrow('there is no option rejectUnauthorized; ')
  })

  test.each(['proxy.example.com:3128', 'https://proxy.example.com', '', 'http://'])('%j is no proxy', (proxy) => {
    expect(() => undiciTransport({ proxy })).toThrow(
      'undiciTransport: proxy must be the http address of a proxy, such as',
    )
  })
})
