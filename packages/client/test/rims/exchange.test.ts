import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { exchange, type Wire } from '../../src/rims/exchange.ts'
import { UnderWay } from '../../src/rims/under-way.ts'
import { connectionOptions } from '../../src/rims/undici-transport.ts'
import { wireAddresses } from '../../src/rims/wire-addresses.ts'

/** What a real undici does only in circumstances that no test can bring about. */
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

test('[G13-07] undici is told to connect within 10 s, to verify certificates whatever the environment says, and no HTTP/2', () => {
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

test('of a socket error nothing but its code comes out: its message and its fields may hold the request', async () => {
  const undici = wireOf((handler) => {
    const error = Object.assign(new Error(`write failed: ${request.body}`), { code: 'EPIPE', body: request.body })
    handler.onResponseError?.(controllerOf(handler), error)
  })
  expect(await exchange(undici, request, { timeoutMs: 1000 })).toEqual({
    kind: 'not-sent',
    seen: 'the connection to https://gate.example.com failed with EPIPE',
  })
})

test('an exchange ends once, however often undici says so, and holds up who closes no longer', async () => {
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
