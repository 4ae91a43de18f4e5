/** Calls a server for each fault, and says how each call ended. */
import { createPaymentClient } from '@tallystick/client'
import { saleInput, testControlKey } from '@tallystick/testing'
import { ownTransport } from './own-transport.ts'

export interface FaultToMeet {
  readonly name: string
  readonly url: string
  readonly proxy?: string
  readonly timeoutMs?: number
  readonly abortAfterMs?: number
  readonly calls?: number
  readonly atOnce?: number
}

export interface FaultsToMeet {
  readonly faults: readonly FaultToMeet[]
  /** The authority of the servers' certificates. Workers trust it by their configuration. */
  readonly authority: string
}

export interface Met {
  readonly name: string
  readonly clientOrderId: string
  readonly outcome: string
  readonly milliseconds: number
  readonly said: string
}

export async function meetFaults({ faults, authority }: FaultsToMeet): Promise<readonly Met[]> {
  const met = await Promise.all(faults.map((fault) => meet(fault, authority)))
  return met.flat()
}

async function meet(
  { name, url, proxy, timeoutMs = 20_000, abortAfterMs, calls = 1, atOnce = 1 }: FaultToMeet,
  authority: string,
) {
  const client = createPaymentClient({
    baseUrl: url,
    login: 'shop',
    controlKey: testControlKey(),
    endpointId: '253',
    timeoutMs,
    transport: ownTransport({ authority, proxy }),
  })
  const met: Met[] = []
  const call = async () => {
    const sale = saleInput()
    const signal = abortAfterMs === undefined ? undefined : abortAfter(abortAfterMs)
    const began = Date.now()
    const result = await client.sale(sale, { signal })
    const said = result.error?.message ?? ''
    met.push({
      name,
      clientOrderId: sale.clientOrderId,
      outcome: result.outcome,
      milliseconds: Date.now() - began,
      said,
    })
  }
  for (let made = 0; made < calls; made++) await Promise.all(Array.from({ length: atOnce }, call))
  await client.close()
  return met
}

/** Not `AbortSignal.timeout(0)`, which aborts a moment later. */
function abortAfter(milliseconds: number): AbortSignal {
  return milliseconds === 0 ? AbortSignal.abort() : AbortSignal.timeout(milliseconds)
}
