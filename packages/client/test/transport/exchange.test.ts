import type { Dispatcher } from 'undici'
import { expect, onTestFinished, test, vi } from 'vitest'
import { exchange, type Wire } from '../../src/transport/exchange.ts'
import { connectionOptions } from '../../src/transport/undici-transport.ts'
import { UnderWay, wireAddresses } from '../../src/transport/wire.ts'

/** A wire on which undici does what no test can make the real one do. */
function wireOf(dispatch: (handler: Dispatcher.DispatchHandler) => void): Wire {
  const dispatcher = {
    dispatch: (_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => {
      dispatch(handler)
      return true
    },
  }
  return { dispatcher, addressOf: wireAddresses(), underWay: new UnderWay() }
}

const request = { url: 'https://gate.example.com/', headers: {}, body: 'credit_card_number=4444555566661111' }

/** A controller that ends the request with the reason, as undici's does. */
function controllerOf(handler: Dispatcher.DispatchHandler) {
  const controller = {
    aborts: [] as string[],
    abort: (reason: Error) => {
      controller.aborts.push(reason.message)
      handler.onResponseError?.(controller as unknown as Dispatcher.DispatchController, reason)
    },
  }
  return controller as typeof controller & Dispatcher.DispatchController
}

test('[G13-07] undici is told to connect within 10 s, to verify certificates, and to use no HTTP/2', () => {
  const connect = { rejectUnauthorized: true, minVersion: 'TLSv1.2' }
  expect(connectionOptions()).toEqual({ allowH2: false, connect: { ...connect, timeout: 10_000 } })
  expect(connectionOptions(3000)).toEqual({ allowH2: false, connect: { ...connect, timeout: 3000 } })
})

test('a request that undici starts a second time is stopped before its first byte', async () => {
  const aborts: string[] = []
  const undici = wireOf((handler) => {
    handler.onRequestStart?.(controllerOf(handler), {})
    const second = controllerOf(handler)
    handler.onRequestStart?.(second, {})
    aborts.push(...second.aborts)
  })
  expect(await exchange(undici, request, { timeoutMs: 1000 })).toEqual({
    kind: 'lost',
    seen: 'the connection to https://gate.example.com failed with Error',
  })
  expect(aborts).toEqual(['the request was sent before'])
})

test('only the code of a socket error is reported: its message and its fields may hold the request', async () => {
  const undici = wireOf((handler) => {
    const error = Object.assign(new Error(`write failed: ${request.body}`), { code: 'EPIPE', body: request.body })
    handler.onResponseError?.(controllerOf(handler), error)
  })
  expect(await exchange(undici, request, { timeoutMs: 1000 })).toEqual({
    kind: 'not-sent',
    seen: 'the connection to https://gate.example.com failed with EPIPE',
  })
})

test('an exchange that undici ends twice counts only once as ended', async () => {
  const wire = wireOf((handler) => {
    handler.onResponseError?.(controllerOf(handler), new Error('first'))
    handler.onResponseError?.(controllerOf(handler), new Error('second'))
  })
  await exchange(wire, request, { timeoutMs: 1000 })
  wire.underWay.begin()
  let isOver = false
  const none = wire.underWay.none().then(() => (isOver = true))
  await Promise.resolve()
  expect(isOver).toBe(false)
  wire.underWay.end()
  await none
})

/** A wire with a whole reply, in these pieces. */
function replyOf(...pieces: readonly Uint8Array[]): Wire {
  return wireOf((handler) => {
    const controller = controllerOf(handler)
    handler.onRequestStart?.(controller, {})
    handler.onResponseStart?.(controller, 200, { 'content-type': 'application/json' })
    for (const piece of pieces) handler.onResponseData?.(controller, Buffer.from(piece))
    handler.onResponseEnd?.(controller, {})
  })
}

test('a reply is put together in the order in which it came, even if a character was cut', async () => {
  const bytes = Buffer.from('{"name":"日本 ☕"}')
  const pieces = [...bytes].map((byte) => Uint8Array.of(byte))
  expect(await exchange(replyOf(...pieces), request, { timeoutMs: 1000 })).toEqual({
    kind: 'replied',
    httpStatus: 200,
    mediaType: 'application/json',
    body: '{"name":"日本 ☕"}',
  })
})

test('a reply of exactly one mebibyte is read, but not one of a byte more', async () => {
  const [most, one] = [new Uint8Array(1_048_576).fill(32), Uint8Array.of(32)]
  expect(await exchange(replyOf(most), request, { timeoutMs: 1000 })).toMatchObject({ kind: 'replied' })
  expect(await exchange(replyOf(most, one), request, { timeoutMs: 1000 })).toMatchObject({ kind: 'lost' })
})

test('undici has no deadline of its own and does not block: there is one deadline for the whole', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const asked: Dispatcher.DispatchOptions[] = []
  const dispatch = (options: Dispatcher.DispatchOptions) => asked.push(options) > 0
  const wire: Wire = { dispatcher: { dispatch }, addressOf: wireAddresses(), underWay: new UnderWay() }
  const lost = exchange(wire, request, { timeoutMs: 70_000 })
  expect(asked).toMatchObject([{ headersTimeout: 0, bodyTimeout: 0, blocking: false }])
  vi.advanceTimersByTime(69_999)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await lost).toEqual({ kind: 'not-sent', seen: 'there was no whole reply within 70000 ms' })
})

test('no timer of the deadline is left once a reply is there, so that a process can end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await exchange(replyOf(), request, { timeoutMs: 70_000 })
  expect(vi.getTimerCount()).toBe(0)
})
