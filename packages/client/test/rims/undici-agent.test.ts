import type { Agent, Dispatcher } from 'undici'
import { expect, test, vi } from 'vitest'
import { undiciTransport } from '../../src/index.ts'

/** What a real undici does only in circumstances that no test can bring about. */
const undici = vi.hoisted(() => ({
  options: [] as unknown[],
  dispatch: (_options: Dispatcher.DispatchOptions, _handler: Dispatcher.DispatchHandler): void => undefined,
}))

vi.mock('undici', () => ({
  Agent: class {
    constructor(options: Agent.Options) {
      undici.options.push(options)
    }

    dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
      undici.dispatch(options, handler)
    }
  },
}))

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
  undiciTransport()
  undiciTransport({ connectTimeoutMs: 3000 })
  expect(undici.options).toEqual([
    { allowH2: false, connect: { timeout: 10_000, rejectUnauthorized: true } },
    { allowH2: false, connect: { timeout: 3000, rejectUnauthorized: true } },
  ])
})

test('a request that undici starts a second time is stopped before its first byte', async () => {
  const aborts: string[] = []
  undici.dispatch = (_options, handler) => {
    handler.onRequestStart?.(controllerOf(handler), {})
    const second = controllerOf(handler)
    handler.onRequestStart?.(second, {})
    aborts.push(...second.aborts)
  }
  expect(await undiciTransport().send(request, { timeoutMs: 1000 })).toEqual({
    kind: 'lost',
    seen: 'the connection failed with Error',
  })
  expect(aborts).toEqual(['the request was sent before'])
})

test('of a socket error nothing but its code comes out: its message and its fields may hold the request', async () => {
  undici.dispatch = (_options, handler) => {
    const error = Object.assign(new Error(`write failed: ${request.body}`), { code: 'EPIPE', body: request.body })
    handler.onResponseError?.(controllerOf(handler), error)
  }
  expect(await undiciTransport().send(request, { timeoutMs: 1000 })).toEqual({
    kind: 'not-sent',
    seen: 'the connection failed with EPIPE',
  })
})
