/** How the time of a call grows when its text is twice as long: 2 is linear. */
export type Growth = { readonly worst: number; readonly at: string }

const MAX_LENGTH = 2 ** 20
const MIN_LENGTH = 2 ** 16
/** What takes less counts as this much: growth from noise to noise is none. */
const MIN_MICROSECONDS = 1000

/** The worst growth over some kinds of texts, lengths doubling up to 1 MiB, each time the smallest of several. */
export function worstGrowth(
  name: string,
  parse: (text: string) => unknown,
  hard: readonly ((length: number) => string)[],
  runs: number,
): Growth {
  const growths = hard.flatMap((make, kind) =>
    growthsOf(make, parse, runs).map(({ length, growth }) => ({
      worst: growth,
      at: `${name}, kind ${kind}, ${length} characters`,
    })),
  )
  return growths.reduce((worst, growth) => (growth.worst > worst.worst ? growth : worst), { worst: 0, at: name })
}

function growthsOf(make: (length: number) => string, parse: (text: string) => unknown, runs: number) {
  const found: { length: number; growth: number }[] = []
  for (let length = MIN_LENGTH; length < MAX_LENGTH; length *= 2) {
    const [short, long] = [make(length), make(length * 2)]
    const growth = againIfHigh(() => ratio(parse, short, long, runs))
    found.push({ length, growth })
  }
  return found
}

/** Collected garbage looks like growth once; growth looks like it every time. */
function againIfHigh(measure: () => number): number {
  let least = measure()
  for (let again = 0; again < 5 && least > 2.2; again++) least = Math.min(least, measure())
  return least
}

function ratio(parse: (text: string) => unknown, short: string, long: string, runs: number): number {
  const [timesOfShort, timesOfLong]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    timesOfShort.push(timeOf(parse, short))
    timesOfLong.push(timeOf(parse, long))
  }
  const least = Math.min(...timesOfLong)
  return least / Math.max(Math.min(...timesOfShort), MIN_MICROSECONDS)
}

/** In microseconds of CPU time, whatever else the machine does. */
function timeOf(parse: (text: string) => unknown, text: string): number {
  const started = process.cpuUsage()
  try {
    parse(text)
  } catch {
    // Refusing has to be as quick as reading; what is thrown is judged elsewhere.
  }
  const { user, system } = process.cpuUsage(started)
  return user + system
}
