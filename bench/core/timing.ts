/** What is timed, by name. */
export type Contest<Name extends string> = Readonly<Record<Name, () => unknown>>

const ROUNDS = 15
const CALLS = 40_000

/**
 * CPU time of a call of each, in microseconds: the least of several rounds. All take turns, so that other work of the machine
 * disturbs each of them. A round is long, because some systems count CPU time in steps of 4 ms.
 */
export function leastTimes<const Name extends string>(contest: Contest<Name>): Record<Name, number> {
  const names = Object.keys(contest) as Name[]
  const least = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<Name, number>
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) least[name] = Math.min(least[name], timeOf(contest[name]))
  }
  return least
}

function timeOf(work: () => unknown): number {
  const started = process.threadCpuUsage()
  for (let call = 0; call < CALLS; call++) work()
  const { user, system } = process.threadCpuUsage(started)
  return (user + system) / CALLS
}
