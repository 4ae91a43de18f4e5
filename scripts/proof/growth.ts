/** How much longer a call takes when its text is twice as long; 2 is linear. */
export interface Growth {
  readonly factor: number
  readonly at: string
}

export interface GrowthTerms {
  /** The lengths between which a text doubles. */
  readonly from: number
  readonly to: number
  /** The most that time may grow. A text is made no longer once it grows more. */
  readonly most: number
  /** CPU milliseconds of one measurement. Some systems count CPU time in steps of 4 ms: of 20 ms, that makes 2.4 of 2. */
  readonly block: number
}

/** Something that reads a text, and texts that are hard for it, each of about so many characters. */
export interface Reader {
  readonly name: string
  readonly read: (text: string) => unknown
  readonly hard: readonly ((length: number) => string)[]
}

/** Milliseconds. A call of less counts as this one: a ratio of two noises says nothing, and it hangs nobody. */
const FLOOR = 1
/** What is nearer than this to the most is measured longer. */
const MARGIN = 0.15
/**
 * For so many milliseconds what looks like too much is measured again, for a tenth of it what nearly does: the noise of
 * other work passes, a square stays.
 */
const PATIENCE = 30_000

/** The worst growth for each kind of text. */
export function growthsOf({ name, read, hard }: Reader, terms: GrowthTerms): Growth[] {
  return hard.map((make, kind) =>
    worstGrowth(`${name}, kind ${kind}`, (length) => new Watch(read, make(length), terms.block), terms),
  )
}

function worstGrowth(name: string, watch: (length: number) => Watch, { from, to, most }: GrowthTerms): Growth {
  let worst: Growth = { factor: 0, at: name }
  let short = watch(from)
  for (let length = from; length < to && worst.factor <= most; length *= 2) {
    const long = watch(2 * length)
    const factor = leastGrowth(short, long, most)
    if (factor > worst.factor) worst = { factor, at: `${name}, ${length} to ${2 * length} characters` }
    short = long
  }
  return worst
}

function leastGrowth(short: Watch, long: Watch, most: number): number {
  const begun = performance.now()
  for (;;) {
    const growth = long.least / short.least
    const spent = performance.now() - begun
    if (growth <= most - MARGIN || (growth <= most && spent > PATIENCE / 10) || spent > PATIENCE) return growth
    short.measure()
    long.measure()
  }
}

/** The least CPU time of a call in milliseconds: whatever else a machine does can only add to it. */
class Watch {
  least = Number.POSITIVE_INFINITY
  readonly #call: () => void
  readonly #block: number

  constructor(read: (text: string) => unknown, text: string, block: number) {
    this.#block = block
    this.#call = () => attempt(read, text)
    this.measure()
  }

  measure(): void {
    const time = isBelowFloor(this.#call) ? FLOOR : cpuTimeOf(this.#call, this.#block)
    this.least = Math.min(this.least, Math.max(time, FLOOR))
  }
}

/** The first call of new code is slow, so a few are tried unless one shows that it is none of the fast ones. */
function isBelowFloor(call: () => void): boolean {
  for (let calls = 0; calls < 3; calls++) {
    const begun = performance.now()
    call()
    const spent = performance.now() - begun
    if (spent < FLOOR || spent > 20 * FLOOR) return spent < FLOOR
  }
  return false
}

function cpuTimeOf(call: () => void, block: number): number {
  const begun = process.threadCpuUsage()
  for (let calls = 1; ; calls++) {
    call()
    const { user, system } = process.threadCpuUsage(begun)
    const used = (user + system) / 1000
    if (used >= block) return used / calls
  }
}

/** Refusing has to be as quick as reading; what may be thrown is judged by the random inputs. */
function attempt(read: (text: string) => unknown, text: string): void {
  try {
    read(text)
  } catch {}
}
