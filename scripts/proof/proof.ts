import type { Random } from './random.ts'

/** A proof: a command that tries to break something, and prints the result in one line. */
export interface Proof {
  readonly name: string
  /** What it does, in a few lines. */
  readonly meaning: string
  readonly runs: Runs
  /** Names of further flags, each with a value, with their meanings. */
  readonly flags?: Readonly<Record<string, string>>
  readonly run: (order: Order) => Promise<Outcome> | Outcome
}

/** How often a proof tries, in its two forms. */
export interface Runs {
  /** What is counted, such as `histories`. */
  readonly of: string
  readonly long: number
  readonly quick: number
}

/** The options of a run, and what it works with. */
export interface Order {
  readonly isQuick: boolean
  readonly runs: number
  readonly seed: number
  readonly random: Random
  readonly flags: Readonly<Record<string, string>>
  readonly progress: Progress
}

/** Reports how far a proof has come. */
export type Progress = (done: number, all: number) => void

/** The figure in words, and whether it proves what it should. */
export interface Outcome {
  readonly ok: boolean
  readonly figure: string
  /** What broke, if anything did. The first ten are printed on the error stream. */
  readonly findings: readonly string[]
}
