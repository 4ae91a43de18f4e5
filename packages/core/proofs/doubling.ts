/** How much longer a call takes when its text is twice as long; 2 is linear. */
export interface Doubling {
  readonly growth: number
  readonly at: string
}

/** Between which lengths a text doubles. */
export interface Lengths {
  readonly from: number
  readonly to: number
}

/** Shorter times of a call count as this one, in microseconds: a ratio of two noises says nothing. */
const FLOOR = 1000
/** A measurement takes at least so many microseconds. */
const LEAST_USED = 20_000
/** What looks like too much is measured again so often: a pause of the machine passes, a square stays. */
const AGAIN = 8
const SUSPICIOUS = 2.2
/** No text of 1 MiB takes so long, in microseconds, unless its time is a square; longer ones are spared then. */
const HANGS = 5_000_000

/** The worst doubling of one kind of text between the lengths. */
export function worstDoubling(
  name: string,
  read: (text: string) => unknown,
  make: (length: number) => string,
  { from, to }: Lengths,
): Doubling {
  let worst: Doubling = { growth: 0, at: name }
  for (let length = from; length < to && worst.growth !== Number.POSITIVE_INFINITY; length *= 2) {
    const growth = leastGrowth(read, make(length), make(2 * length))
    if (growth > worst.growth) worst = { growth, at: `${name}, ${length} to ${2 * length} characters` }
  }
  return worst
}

function leastGrowth(read: (text: string) => unknown, short: string, long: string): number {
  let [leastShort, leastLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let run = 0; run < 2 * AGAIN; run++) {
    leastShort = Math.min(leastShort, timeOf(read, short))
    if (leastShort > HANGS) return Number.POSITIVE_INFINITY
    leastLong = Math.min(leastLong, timeOf(read, long))
    if (leastLong > HANGS) return Number.POSITIVE_INFINITY
    if (run >= 1 && leastLong / Math.max(leastShort, FLOOR) <= SUSPICIOUS) break
  }
  return leastLong / Math.max(leastShort, FLOOR)
}

/** CPU time of a call in microseconds, over so many that the steps in which some systems count it do not matter. */
function timeOf(read: (text: string) => unknown, text: string): number {
  const started = process.threadCpuUsage()
  let calls = 0
  for (let used = 0; used < LEAST_USED; calls++) {
    attempt(read, text)
    const { user, system } = process.threadCpuUsage(started)
    used = user + system
  }
  const { user, system } = process.threadCpuUsage(started)
  return (user + system) / calls
}

/** Refusing has to be as quick as reading; what may be thrown is judged by the random inputs. */
function attempt(read: (text: string) => unknown, text: string): void {
  try {
    read(text)
  } catch {}
}
