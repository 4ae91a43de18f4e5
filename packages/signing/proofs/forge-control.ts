import type { Random } from '@tallystick/proof-kit'
import { signControl, verifyControl } from '../src/index.ts'
import { CONTROL_MUTATIONS, type SignedControl } from './control-mutations.ts'
import { anyText } from './random-request.ts'
import type { Judgement } from './tally.ts'

/** How often one signed request is mutated before the next is made. */
const MUTANTS = 50

/** Mutants of signed controls, judged. */
export function* forgeControls(count: number, random: Random): Generator<Judgement> {
  const kinds = Object.entries(CONTROL_MUTATIONS)
  for (let done = 0; done < count; ) {
    const key = `key${anyText(random, 30)}`
    const [seen, other] = [anyControl(random, key), anyControl(random, key)]
    for (let mutant = 0; mutant < MUTANTS && done < count; mutant++, done++) {
      const [kind, mutate] = random.pick(kinds)
      yield judge(kind, seen, mutate(seen, other, random), key)
    }
  }
}

function anyControl(random: Random, key: string): SignedControl {
  const terms = Array.from({ length: 1 + random.below(6) }, () => anyText(random, 15))
  return { terms, control: signControl({ terms, key }) }
}

function judge(kind: string, seen: SignedControl, mutant: SignedControl, key: string): Judgement {
  const isAccepted = verifyControl({ ...mutant, key }).ok
  const isChanged = mutant.terms.join('') !== seen.terms.join('') || mutant.control.toLowerCase() !== seen.control
  const isShifted = !isChanged && JSON.stringify(mutant.terms) !== JSON.stringify(seen.terms)
  return { kind, isAccepted, isChanged, isShifted }
}
