import type { GatewayHandle, Transport } from '@tallystick/client'
import { listen } from '@tallystick/gateway'
import { directFetch, type Fetch, socketFetch } from './direct-fetch.ts'
import { directTransport } from './direct-transport.ts'
import { watchIdle } from './watch-idle.ts'

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
  const watch = watchIdle(opened)
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
