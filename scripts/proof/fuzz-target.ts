import type { Reader } from './growth.ts'
import { areUntouched, prototypes } from './prototypes.ts'
import { Random } from './random.ts'

/** Something that reads what a stranger sent. */
export interface FuzzTarget extends Reader {
  /** Makes an input, passes it to the reader, and says what is wrong with the result. Throws what the reader throws. */
  readonly tryOne: (random: Random) => string | undefined
  /** The only error that the reader may throw. If left out, it may throw none. */
  readonly error?: new (
    ...args: never
  ) => Error
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
