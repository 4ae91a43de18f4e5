/** A call to time, which is repeated many times. */
export type Work = () => unknown

const ROUNDS = 400
const ROUND_MILLISECONDS = 2
/** Long enough for the compiler, even on a busy machine. After a shorter time, a round had only a dozen calls of slow code. */
const WARM_MILLISECONDS = 500

/**
 * The time of a call of each work, in microseconds. Rounds are short and interleaved, and the least of each counts, because no
 * other process has interrupted that one.
 */
export function timeEach<const Name extends string>(works: Readonly<Record<Name, Work>>): Record<Name, number> {
  const names = Object.keys(works) as Name[]
  const calls = Object.fromEntries(names.map((name) => [name, callsOf(works[name])])) as Record<Name, number>
  const best = Object.fromEntries(names.map((name) => [name, Number.POSITIVE_INFINITY])) as Record<Name, number>
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) best[name] = Math.min(best[name], timeOf(works[name], calls[name]))
  }
  return best
}

/** How many calls fill a round, once the code is warm. */
function callsOf(work: Work): number {
  for (const started = performance.now(); performance.now() - started < WARM_MILLISECONDS; ) work()
  for (let calls = 1; ; calls *= 2) {
    if (timeOf(work, calls) * calls > ROUND_MILLISECONDS * 1000) return calls
  }
}

function timeOf(work: Work, calls: number): number {
  const started = performance.now()
  for (let call = 0; call < calls; call++) work()
  return ((performance.now() - started) * 1000) / calls
}
