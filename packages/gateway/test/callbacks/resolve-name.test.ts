import { createSocket, type Socket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { askNameServers, callbackSender, type NameServers } from '../../src/callbacks/sender.ts'

const { signal } = new AbortController()

/** Name servers with these answers for both kinds of addresses. With an Error they fail. */
function servers(v4: readonly string[] | Error, v6: readonly string[] | Error): NameServers {
  const answer = (found: readonly string[] | Error) => () => settled(found) as Promise<never>
  return { resolve4: answer(v4), resolve6: answer(v6), cancel: () => undefined }
}

async function settled(found: readonly string[] | Error): Promise<readonly string[]> {
  if (found instanceof Error) throw found
  return found
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

describe('a name is asked for at the name servers', () => {
  test('for addresses of both kinds, which are tried in turn', async () => {
    const resolve = askNameServers(() => servers(['8.8.8.8', '8.8.4.4', '1.1.1.1'], ['2606:4700:4700::1111']))
    const found = ['8.8.8.8', '2606:4700:4700::1111', '8.8.4.4', '1.1.1.1']
    expect(await resolve('shop.example.com', signal)).toEqual(found)
  })

  test.each([
    [['8.8.8.8'], failure('ENODATA'), ['8.8.8.8']],
    [failure('ETIMEOUT'), ['2606:4700:4700::1111'], ['2606:4700:4700::1111']],
  ])('and has those of one kind alone: %j %j', async (v4, v6, found) => {
    expect(await askNameServers(() => servers(v4, v6))('shop.example.com', signal)).toEqual(found)
  })

  test('and fails as they say if it has no addresses', async () => {
    const resolve = askNameServers(() => servers(failure('ENOTFOUND'), failure('ENODATA')))
    await expect(resolve('shop.example.com', signal)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  test('until the attempt ends', async () => {
    const attempt = new AbortController()
    const cancelled = Promise.withResolvers<never>()
    const hanging: NameServers = {
      resolve4: () => cancelled.promise,
      resolve6: () => cancelled.promise,
      cancel: () => cancelled.reject(failure('ECANCELLED')),
    }
    const looking = askNameServers(() => hanging)('shop.example.com', attempt.signal)
    attempt.abort()
    await expect(looking).rejects.toMatchObject({ code: 'ECANCELLED' })
    await expect(askNameServers(() => hanging)('shop.example.com', attempt.signal)).rejects.toThrow('aborted')
  })
})

/** The answer to a question of DNS, with one address of the kind that was asked for (RFC 1035 section 4.1, RFC 3596). */
function answerTo(question: Buffer, v4: readonly number[]): Buffer {
  const isV4 = question.readUInt16BE(question.indexOf(0, 12) + 1) === 1
  const end = question.indexOf(0, 12) + 5
  const header = Buffer.from([0x81, 0x80, 0, 1, 0, isV4 ? 1 : 0, 0, 0, 0, 0])
  const record = isV4 ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...v4] : []
  return Buffer.concat([question.subarray(0, 2), header, question.subarray(12, end), Buffer.from(record)])
}

describe('beside names whose servers are silent', () => {
  let socket: Socket
  afterEach(() => socket.close())

  test('another name is found at once, however many they are', async () => {
    socket = createSocket('udp4')
    socket.on('message', (question, { port, address }) => {
      if (!question.includes('silent')) socket.send(answerTo(question, [8, 8, 8, 8]), port, address)
    })
    await new Promise<void>((listening) => socket.bind(0, '127.0.0.1', listening))
    const { port } = socket.address() as AddressInfo
    const called = Promise.withResolvers<string>()
    const sender = callbackSender({
      resolve: askNameServers(() => {
        const resolver = new Resolver()
        resolver.setServers([`127.0.0.1:${port}`])
        return resolver
      }),
      connect: () => (options, callback) => {
        called.resolve(`${options.host} at ${options.hostname}`)
        callback(failure('ECONNREFUSED'), null)
      },
    })
    const silent = Array.from({ length: 40 }, (_, at) => sender.send(`http://silent${at}.example/`))
    const ended = Promise.allSettled(silent)
    const others = Promise.race([Promise.allSettled(silent), called.promise])
    await expect(sender.send('http://shop.example/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(await others).toBe('shop.example at 8.8.8.8')
    await sender.close()
    expect((await ended).map(({ status }) => status)).toEqual(silent.map(() => 'rejected'))
  })
})
