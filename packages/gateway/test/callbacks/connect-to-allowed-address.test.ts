import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { askThisMachine, callbackSender, type ResolveName } from '../../src/callbacks/sender.ts'
import { type CountingServer, countingServer } from '../support/counting-server.ts'
import { FORBIDDEN, PUBLIC } from '../support/forbidden-addresses.ts'

const REFUSED = { name: 'AddressNotAllowedError', code: 'ADDRESS_NOT_ALLOWED' }

let server: CountingServer
beforeEach(async () => {
  server = await countingServer()
})
afterEach(() => server.close())

/** A sender whose look-ups return these lists one after another, and whose connections all go to the server. */
function senderFor(...lists: ReadonlyArray<readonly string[]>) {
  const looked: string[] = []
  const resolve: ResolveName = async (name) => {
    looked.push(name)
    return lists[Math.min(looked.length, lists.length) - 1] ?? []
  }
  return { looked, ...callbackSender({ resolve, connect: server.connect }) }
}

describe('No connection is opened to', () => {
  test.for(FORBIDDEN)('a name that stands for an address of this kind: %s', async ([, ...addresses]) => {
    for (const address of addresses) {
      for (const url of ['http://shop.example.com/', 'https://shop.example.com:8443/']) {
        await expect(senderFor([address]).send(url)).rejects.toMatchObject(REFUSED)
      }
    }
    expect([server.asked, server.connections()]).toEqual([[], 0])
  })

  test.for(FORBIDDEN)('an address of this kind itself: %s', async ([, ...addresses]) => {
    const { send, looked } = senderFor(['8.8.8.8'])
    for (const address of addresses) {
      const host = address.includes(':') ? `[${address}]` : address
      await expect(send(`http://${host}/`)).rejects.toMatchObject({ ...REFUSED, issue: 'host' })
    }
    expect([server.asked, looked, server.connections()]).toEqual([[], [], 0])
  })

  test.for([
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f000001/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://１２７.０.０.１/',
    'http://%31%32%37.0.0.1/',
    'http://2852039166/latest/meta-data/',
    'http://[::ffff:169.254.169.254]/',
    'http://user:secret@shop.example.com/',
    'http://shop.example.com:22/',
    'https://shop.example.com:80/',
    'http://[fe80::1%25eth0]/',
    'gopher://shop.example.com/',
    'http://[',
    '',
  ])('%s', async (url) => {
    const { send, looked } = senderFor(['8.8.8.8'])
    await expect(send(url)).rejects.toMatchObject(REFUSED)
    expect([server.asked, looked, server.connections()]).toEqual([[], [], 0])
  })

  test('a name of which one address is not public, wherever it stands', async () => {
    for (const addresses of [
      ['10.0.0.1', '8.8.8.8'],
      ['8.8.8.8', '10.0.0.1'],
      [...PUBLIC, '::ffff:10.0.0.1'],
      ['8.8.8.8', 'not an address'],
      [],
    ]) {
      await expect(senderFor(addresses).send('http://shop.example.com/')).rejects.toMatchObject(REFUSED)
    }
    expect([server.asked, server.connections()]).toEqual([[], 0])
  })

  test.for(['http://localhost/', 'http://LOCALHOST:8080/', 'http://lo%63alhost/'])(
    'this machine by its name, as the system knows it: %s',
    async (url) => {
      const { send } = callbackSender({ resolve: askThisMachine, connect: server.connect })
      await expect(send(url)).rejects.toMatchObject(REFUSED)
      expect([server.asked, server.connections()]).toEqual([[], 0])
    },
  )

  test('any private address in a sandbox, except this machine', async () => {
    const addresses = FORBIDDEN.flatMap(([why, ...each]) => (why === 'loopback' ? [] : each))
    const resolved = addresses.map(async (address) => {
      const sender = callbackSender({ sandbox: true, resolve: async () => [address], connect: server.connect })
      await expect(sender.send('http://shop.example.com:3000/')).rejects.toMatchObject(REFUSED)
    })
    await Promise.all(resolved)
    expect([server.asked, server.connections()]).toEqual([[], 0])
  })
})

describe('A name that stands for another address a moment later', () => {
  test('is looked up once per attempt, and called at the address found', async () => {
    const { send, looked } = senderFor(['8.8.8.8'], ['127.0.0.1'])
    // The connection goes to the server, which is not at 8.8.8.8: the guard also checks where it is connected to.
    await expect(send('http://shop.example.com/')).rejects.toMatchObject(REFUSED)
    expect([looked.length, server.asked]).toEqual([1, ['8.8.8.8 ']])
    await expect(send('http://shop.example.com/')).rejects.toMatchObject(REFUSED)
    expect([looked.length, server.asked]).toEqual([2, ['8.8.8.8 ']])
    expect([server.connections(), server.requests()]).toEqual([1, 0])
  })
})

describe('A connection', () => {
  test('is opened by address alone, with the name for TLS', async () => {
    const asked: unknown[] = []
    const sender = callbackSender({
      resolve: async () => ['8.8.8.8'],
      connect: () => (options, callback) => {
        const { hostname, servername, protocol, port } = options
        asked.push([protocol, hostname, port, servername])
        callback(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }), null)
      },
    })
    for (const url of [
      'https://shop.example.com/',
      'https://shop.example.com.:8443/',
      'https://8.8.4.4/',
      'https://[2606:4700:4700::1111]/',
      'http://shop.example.com:8080/',
    ]) {
      await expect(sender.send(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    }
    expect(asked).toEqual([
      ['https:', '8.8.8.8', '', 'shop.example.com'],
      ['https:', '8.8.8.8', '8443', 'shop.example.com'],
      ['https:', '8.8.4.4', '', null],
      ['https:', '2606:4700:4700::1111', '', null],
      ['http:', '8.8.8.8', '8080', null],
    ])
  })

  test('is tried at three addresses of a name, in the order in which they were found', async () => {
    const asked: string[] = []
    const sender = callbackSender({
      resolve: async () => ['8.8.8.8', '2606:4700:4700::1111', '1.1.1.1', '8.8.4.4'],
      connect: () => (options, callback) => {
        asked.push(options.hostname)
        callback(Object.assign(new Error('no'), { code: `E${asked.length}` }), null)
      },
    })
    await expect(sender.send('http://shop.example.com/')).rejects.toMatchObject({ code: 'E3' })
    expect(asked).toEqual(['8.8.8.8', '2606:4700:4700::1111', '1.1.1.1'])
  })

  test('to an address that answers is used, and no other address is tried', async () => {
    const sender = callbackSender({ sandbox: true, resolve: async () => ['127.0.0.1', '::1'], connect: server.connect })
    expect((await sender.send(`http://shop.example.com:${server.port}/`)).status).toBe(200)
    expect(server.asked).toEqual([`127.0.0.1 ${server.port}`])
  })

  test('is not opened when the look-up fails', async () => {
    const failure = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    const sender = callbackSender({ resolve: () => Promise.reject(failure), connect: server.connect })
    await expect(sender.send('http://shop.example.com/')).rejects.toMatchObject({ code: 'ENOTFOUND' })
    expect(server.asked).toEqual([])
  })

  test('is not opened when the attempt ended before the look-up did', async () => {
    const looking = Promise.withResolvers<readonly string[]>()
    const sender = callbackSender({ resolve: () => looking.promise, connect: server.connect })
    const sending = sender.send('http://shop.example.com/')
    await sender.close()
    await expect(sending).rejects.toMatchObject({ code: 'SENDER_CLOSED' })
    looking.resolve(['8.8.8.8'])
    await new Promise((resolve) => setImmediate(resolve))
    expect(server.asked).toEqual([])
  })
})
