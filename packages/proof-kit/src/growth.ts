/** How many times as long a call takes if its text is twice as long; 2 is linear. */
export interface Growth {
  readonly factor: number
  readonly at: string
}

export interface GrowthTerms {
  /** The lengths between which a text doubles. */
  readonly from: number
  readonly to: number
  /** The most that time may grow. Once it grows more, the text is not made longer. */
  readonly most: number
  /** CPU milliseconds of one measurement. Some systems count in steps of 4 ms: with 20 ms, a growth of 2 may show as 2.4. */
  readonly block: number
}

/** Something that reads a text, and makers of texts that are hard for it, of about the given length. */
export interface Reader {
  readonly name: string
  readonly read: (text: string) => unknown
  readonly hard: readonly ((length: number) => string)[]
}

/** In milliseconds. Shorter calls count as this long: they block nobody, and the ratio of two noisy times says nothing. */
const FLOOR = 1
/** A growth that is nearer than this to the most is measured longer. */
const MARGIN = 0.15
/**
 * For this many milliseconds a growth that looks too large is measured again, and for a tenth of that one that nearly does. The
 * noise of other work passes, quadratic growth stays.
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

/**
 * The smaller of two figures: the ratio of the least times, and the median ratio of two measurements next to each other, because a
 * machine shared with others is slow for a minute at a time, which may be the longer text's.
 */
function leastGrowth(short: Watch, long: Watch, most: number): number {
  const begun = performance.now()
  const ratios: number[] = []
  for (;;) {
    const growth = Math.min(long.least / short.least, ratios.length < 5 ? Number.POSITIVE_INFINITY : median(ratios))
    const spent = performance.now() - begun
    if (growth <= most - MARGIN || (growth <= most && spent > PATIENCE / 10) || spent > PATIENCE) return growth
    const before = short.measure()
    ratios.push(long.measure() / before)
  }
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number
}

/**
 * The least CPU time of a call in milliseconds, because other work of the machine can only add to it. Of that time, what the
 * process itself spends: a reader calls no system, and pages that were given back cost a virtual machine more from some length on.
 */
class Watch {
  least = Number.POSITIVE_INFINITY
  readonly #call: () => void
  readonly #block: number

  constructor(read: (text: string) => unknown, text: string, block: number) {
    this.#block = block
    this.#call = () => attempt(read, text)
    this.measure()
  }

  measure(): number {
    const time = Math.max(isBelowFloor(this.#call) ? FLOOR : cpuTimeOf(this.#call, this.#block), FLOOR)
    this.least = Math.min(this.least, time)
    return time
  }
}

/** The first call of new code is slow, so up to three calls are tried, unless one is far above the floor. */
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
    const used = process.threadCpuUsage(begun).user / 1000
    if (used >= block) return used / calls
  }
}

/** Refusing has to be as fast as reading. Which errors are allowed is checked with the random inputs. */
function attempt(read: (text: string) => unknown, text: string): void {
  try {
    read(text)
  } catch {}
}
