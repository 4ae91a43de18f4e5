import type { GatewayHandle, Transport } from '@tallystick/client'
import { listen } from '@tallystick/gateway'
import { directFetch, type Fetch, socketFetch } from './direct-fetch.ts'
import { directTransport } from './direct-transport.ts'

/** How a gateway is reached. */
export interface Door {
  /** Scheme, host and port. */
  readonly origin: string
  readonly fetch: Fetch
  /** Creates a transport to it; `undefined` if a client's own transport reaches it. */
  readonly transport: (() => Transport) | undefined
  close(): Promise<void>
}

/** Opens a port of this machine. */
export async function openSocket(handle: GatewayHandle, port: number): Promise<Door> {
  const { origin, close } = await listen(handle, { port, lingerMs: 0 })
  return { origin, close, fetch: socketFetch, transport: undefined }
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
