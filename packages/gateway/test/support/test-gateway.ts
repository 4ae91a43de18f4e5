import {
  createGateway,
  type GatewayOptions,
  memoryStore,
  simulator,
  type VirtualClock,
  virtualClock,
} from '../../src/index.ts'
import { auditAtTheEnd } from './audit-at-the-end.ts'
import { BASE_URL, merchants, NOW } from './signed-requests.ts'

export type TestGatewayOptions = Partial<GatewayOptions<VirtualClock>>

/**
 * A gateway on a clock that stands still, with the callbacks that it sent and the errors that it reported. The books of its
 * store are audited when the test ends.
 */
export function testGateway(changes: TestGatewayOptions = {}) {
  const { store = memoryStore(), clock = virtualClock(NOW * 1000) } = changes
  const calls: string[] = []
  const heard: Array<readonly [error: unknown, serialNumber: string | undefined]> = []
  const options: GatewayOptions<VirtualClock> = {
    publicUrl: BASE_URL,
    merchants: merchants(),
    acquirer: simulator(),
    sendCallback: async (url) => {
      calls.push(url)
      return { status: 200 }
    },
    onError: (error, serialNumber) => void heard.push([error, serialNumber]),
    ...changes,
    store,
    clock,
  }
  auditAtTheEnd(store, options.merchants)
  return { gateway: createGateway(options), clock, calls, heard, store }
}
