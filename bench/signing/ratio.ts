/** Work to time: a call that is made over and over. */
export type Work = () => unknown

const ROUNDS = 400
const ROUND_MILLISECONDS = 2
/** Long enough for the compiler, on a busy machine too: cold code made rounds of a dozen calls, and stayed cold. */
const WARM_MILLISECONDS = 500

/**
 * Time of each work in microseconds a call. Rounds are short and interleaved, and the smallest of each counts: that is
 * one which no other process has interrupted.
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
