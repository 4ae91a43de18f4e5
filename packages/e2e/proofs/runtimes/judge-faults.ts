/** Has a runtime meet every fault, and holds what it says against what arrived. */
import type { FaultServers } from './fault-servers.ts'
import { FAULTS, type Fault } from './faults.ts'
import type { Met } from './programs/faults.ts'
import type { Running } from './runtime.ts'

/** How late a busy machine may be. */
const LATE_MS = 5000

export async function judgeFaults(running: Running, servers: FaultServers, authority: string) {
  const faults = Object.entries<Fault>(FAULTS)
    .filter(([, { proxy }]) => proxy === undefined || running.hasSockets)
    .map(([name, { timeoutMs, abortAfterMs, calls, atOnce, proxy }]) => {
      const through = proxy === undefined ? undefined : servers.proxies[proxy].origin
      return { name, url: servers.urls[name], proxy: through, timeoutMs, abortAfterMs, calls, atOnce }
    })
  const met = await running.ask<readonly Met[]>('/faults', { faults, authority })
  const findings = met.flatMap((one, at) => {
    const isFirst = met.findIndex(({ name }) => name === one.name) === at
    return wrongWith(one, isFirst, servers.arrivals(one.clientOrderId), running).map((wrong) => `${one.name}: ${wrong}`)
  })
  return { calls: met.length, findings }
}

function wrongWith(met: Met, isFirst: boolean, arrivals: number, { hasSockets }: Running): readonly string[] {
  const fault: Fault | undefined = FAULTS[met.name]
  if (fault === undefined) return ['there is no such fault']
  const ending = isFirst ? (fault.first ?? fault.ending) : fault.ending
  const wrong = []
  if (arrivals > 1) wrong.push(`it arrived ${arrivals} times`)
  if (met.outcome === 'notSent' && arrivals > 0) wrong.push('it arrived, and was called not sent')
  if (met.outcome === 'accepted' && arrivals === 0) wrong.push('it was called accepted, and did not arrive')
  if (met.outcome !== ending && !(met.outcome === 'unknown' && !hasSockets && mayBeUnknown(fault)))
    wrong.push(`it was ${met.outcome}: ${met.said}`)
  if (met.milliseconds > (fault.timeoutMs ?? 0) + LATE_MS) wrong.push(`it took ${met.milliseconds} ms`)
  return wrong
}

/** `fetch` cannot tell what was not sent, nor see in time that a connection was closed. */
function mayBeUnknown({ ending, isRace }: Fault): boolean {
  return ending === 'notSent' || isRace === true
}
