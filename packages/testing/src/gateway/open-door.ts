import { clearTimeout, setTimeout } from 'node:timers'
import type { Transport } from '@tallystick/client'
import type { GatewayHandle } from '@tallystick/client/internal'
import { errorUrl } from '@tallystick/core/internal'
import { listen } from '@tallystick/gateway'
import { directFetch, directTransport, type Fetch, socketFetch } from './direct-transport.ts'

/** How a gateway is reached. */
export interface Door {
  /** Scheme, host and port. */
  readonly origin: string
  readonly fetch: Fetch
  /** Creates a transport to it; `undefined` if a client's own transport reaches it. */
  readonly transport: (() => Transport) | undefined
  close(): Promise<void>
}

/** Opens a port of this machine. Warns if it is left open: `opened` says where the test opened it. */
export async function openSocket(handle: GatewayHandle, port: number, opened: Error): Promise<Door> {
  const watched: GatewayHandle = (request) => {
    watch.used()
    return handle(request)
  }
  const { origin, close } = await listen(watched, { port, lingerMs: 0 })
  const watch = isTest(process) ? watchIdle(opened) : UNWATCHED
  return {
    origin,
    fetch: socketFetch,
    transport: undefined,
    close: () => {
      watch.end()
      return close()
    },
  }
}

/** A name that no host can have (RFC 6761 section 6.2), so that nothing leaves this process by mistake. */
const ORIGIN = 'https://gateway.test'

/** Opens no port: requests are passed on within the process. */
export function openDirect(handle: GatewayHandle): Door {
  let isOpen = true
  const doorway = { handle, isOpen: () => isOpen }
  return {
    origin: ORIGIN,
    fetch: directFetch(ORIGIN, doorway),
    transport: () => directTransport(doorway),
    close: async () => {
      isOpen = false
    },
  }
}

// Imported, so that a test that replaces the global timers does not affect it.

/** Of a program that goes on, such as a shop that is tried with a gateway in its process: there is nothing to warn of. */
const UNWATCHED = { used: () => {}, end: () => {} }

/** Whether a runner of tests has started this process, or its program is called like a test. */
export function isTest({ env, argv }: Pick<NodeJS.Process, 'env' | 'argv'>): boolean {
  const runner = env['VITEST'] ?? env['JEST_WORKER_ID'] ?? env['NODE_TEST_CONTEXT']
  return runner !== undefined || /[.-](?:test|spec)\.[cm]?[jt]sx?$/.test(argv[1] ?? '')
}

/** Longer than a test usually does something else. */
const IDLE_MS = 30_000

/**
 * Warns once if a gateway listens and gets no request for a while: `node --test` waits for one that was left open, for ever and
 * without a word. The watch itself does not keep the process from ending.
 *
 * @param opened has in its stack where the test opened the gateway
 */
export function watchIdle(opened: Error, idleMs = IDLE_MS) {
  let isWatched = true
  const timer = setTimeout(() => {
    isWatched = false
    process.emitWarning(
      `A gateway is open and has had no request for ${idleMs / 1000} s; it keeps the process from ending. ` +
        `Close it when its test ends: test.after(() => gateway.close()). It was opened ${placeIn(opened)}`,
      { type: 'TestGatewayWarning', code: 'GATEWAY_LEFT_OPEN', detail: errorUrl('testing', 'GATEWAY_LEFT_OPEN') },
    )
  }, idleMs).unref()
  return {
    used: () => {
      if (isWatched) timer.refresh()
    },
    end: () => {
      isWatched = false
      clearTimeout(timer)
    },
  }
}

function placeIn({ stack = '' }: Error): string {
  return /^ *(at .*)$/m.exec(stack)?.[1] ?? 'at an unknown place'
}
