import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { type Growth, type GrowthTerms, growthsOf, type Reader } from './growth.ts'
import { counted, type Order, type Outcome, prove } from './prove.ts'
import { Random } from './random.ts'
import { inThreads } from './threads.ts'

/** A proof that no broken input does harm. */
export interface Fuzzing {
  readonly name: string
  readonly of: string
  readonly targets: readonly FuzzTarget[]
  /** The address of the module that calls `fuzz`, in which the threads start. */
  readonly module: string
}

/** What a thread does with one of the targets: try inputs, or measure growth. */
type Job = { readonly target: number } & (
  | { readonly inputs: number; readonly seed: number }
  | { readonly terms: GrowthTerms }
)

interface Found {
  readonly faults: readonly string[]
  readonly growths: readonly Growth[]
}

const LONG: GrowthTerms = { from: 2 ** 10, to: 2 ** 20, most: 2.3, block: 100 }
/** A quick check with short texts, beside other work: quadratic growth (4) has to show, a disturbance must not. */
const QUICK: GrowthTerms = { from: 2 ** 14, to: 2 ** 15, most: 3, block: 20 }

/** How many inputs a thread tries before another one takes over. */
const SHARE = 250_000

/** Room for the garbage of several calls. With less, V8 would copy survivors at some length, a jump in time that is no growth. */
const ROOMY = ['--min-semi-space-size=128', '--max-semi-space-size=128']

/** Passes broken input to every target, and times texts that grow to 1 MiB. */
export async function fuzz(fuzzing: Fuzzing): Promise<void> {
  if (!isMainThread) return parentPort?.postMessage(work(fuzzing, workerData as Job))
  return prove({
    name: fuzzing.name,
    meaning:
      `Passes broken input to every reader of ${fuzzing.of}. A reader may only throw its own error and must not change a\n` +
      `prototype, and a text of twice the length may take at most ${LONG.most} times as long, up to 1 MiB.`,
    runs: { of: 'inputs to each reader', long: 1_000_000, quick: 20_000 },
    run: (order) => attack(fuzzing, order),
  })
}

function work({ targets }: Fuzzing, job: Job): Found {
  const target = targets[job.target]
  if (target === undefined) throw new Error(`there is no target ${job.target}`)
  return 'terms' in job
    ? { faults: [], growths: growthsOf(target, job.terms) }
    : { faults: faultsOf(target, job.inputs, job.seed), growths: [] }
}

async function attack({ targets, module }: Fuzzing, { isQuick, runs, seed, progress }: Order): Promise<Outcome> {
  const terms = isQuick ? QUICK : LONG
  const inputs = targets.flatMap((_, target) => shares(target, runs, seed + target * 1000))
  const texts = targets.map((_, target): Job => ({ target, terms }))
  const all = inputs.length + texts.length
  const at = new URL(module)
  const tried = await inThreads<Job, Found>(at, inputs, availableParallelism(), (done) => progress(done, all))
  for (const flag of ROOMY) setFlagsFromString(flag)
  // One at a time, because threads that share a cache slow each other down.
  const timed = await inThreads<Job, Found>(at, texts, 1, (done) => progress(inputs.length + done, all))
  const faults = tried.flatMap((found) => found.faults)
  const growths = timed.flatMap((found) => found.growths)
  return judge(faults, growths, terms.most, counted`${runs} inputs to each of ${targets.length} readers`)
}

/** The inputs of a target as jobs for threads, each with a seed of its own. */
function shares(target: number, inputs: number, seed: number): Job[] {
  return Array.from({ length: Math.ceil(inputs / SHARE) }, (_, share) => ({
    target,
    inputs: Math.min(SHARE, inputs - share * SHARE),
    seed: seed + share,
  }))
}

function judge(faults: readonly string[], growths: readonly Growth[], most: number, tried: string): Outcome {
  const slow = growths.filter(({ factor }) => factor > most)
  const worst = growths.reduce((a, b) => (b.factor > a.factor ? b : a))
  return {
    figure: `${tried}, ${faults.length} faults; time grows ${worst.factor.toFixed(2)} times at most (${worst.at})`,
    findings: [...faults, ...slow.map(({ factor, at }) => `growth ${factor.toFixed(2)}: ${at}`)],
  }
}

/** Something that reads what a stranger sent. */
export interface FuzzTarget extends Reader {
  /** Makes an input, passes it to the reader, and says what is wrong with the result. Throws what the reader throws. */
  readonly tryOne: (random: Random) => string | undefined
  /** The only error that the reader may throw. If left out, it may throw none. */
  readonly error?: new (
    ...args: never
  ) => Error
}

/** Makers of texts that grow in one place: `a={%41}%` repeats what is in braces until the text is about as long as wanted. */
export function grown(...shapes: readonly string[]): Reader['hard'] {
  return shapes.map((shape) => {
    const [before = '', unit = '', after = ''] = shape.split(/[{}]/)
    return (length) => before + unit.repeat(length / unit.length) + after
  })
}

/** What went wrong with this many inputs: errors that are not the reader's own, wrong results, a changed prototype. */
export function faultsOf(target: FuzzTarget, inputs: number, seed: number): string[] {
  const random = new Random(seed)
  const before = prototypes()
  const faults = Array.from({ length: inputs }, () => faultOf(target, random)).filter((fault) => fault !== undefined)
  const touched = areUntouched(before) ? [] : ['touched a prototype']
  return [...faults, ...touched].map((fault) => `${target.name} ${fault}`)
}

function faultOf({ tryOne, error }: FuzzTarget, random: Random): string | undefined {
  try {
    return tryOne(random)
  } catch (thrown) {
    return error !== undefined && thrown instanceof error ? undefined : `threw ${String(thrown)}`
  }
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype]

/** Everything on the prototypes to which a careless reader may write. */
function prototypes(): readonly unknown[] {
  return PROTOTYPES.flatMap((prototype) =>
    Reflect.ownKeys(prototype).flatMap((name) => {
      const { value, get, set } = Object.getOwnPropertyDescriptor(prototype, name) ?? {}
      return [name, value, get, set]
    }),
  )
}

/** Whether everything on them is still as before. */
function areUntouched(before: readonly unknown[]): boolean {
  const now = prototypes()
  return now.length === before.length && now.every((item, at) => Object.is(item, before[at]))
}
