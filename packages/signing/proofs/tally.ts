import { withCommas } from '@tallystick/proof-kit'

/** What became of one mutant. */
export type Judgement = {
  readonly kind: string
  readonly isAccepted: boolean
  /** Whether it differs in what is signed, or in the bytes of its signature. */
  readonly isChanged: boolean
  /** Whether it differs in where the terms of a control end, and in nothing else. */
  readonly isShifted?: boolean
}

/** Counts mutants. */
export class Tally {
  tried = 0
  changed = 0
  forged = 0
  shifted = 0
  same = 0
  readonly examples = new Set<string>()

  count({ kind, isAccepted, isChanged, isShifted = false }: Judgement): void {
    this.tried++
    if (isShifted && isAccepted) this.shifted++
    else if (!isChanged) this.same++
    else {
      this.changed++
      if (!isAccepted) return
      this.forged++
      this.examples.add(kind)
    }
  }

  toString(): string {
    return [
      `${withCommas(this.tried)} mutants, ${withCommas(this.changed)} of them change what is signed, ${this.forged} of those accepted`,
      `${withCommas(this.shifted)} boundary shifts of the control verify by its nature`,
      `${withCommas(this.same)} other mutants mean the same`,
    ].join(', ')
  }
}
