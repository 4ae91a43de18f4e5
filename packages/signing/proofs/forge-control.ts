import type { Random } from '@tallystick/proof-kit'
import { signControl, verifyControl } from '../src/index.ts'
import { anyText } from './random-request.ts'

/** What became of one mutant. */
export interface Judgement {
  readonly kind: string
  readonly isAccepted: boolean
  /** Whether it differs in what is signed, or in the bytes of its signature. */
  readonly isChanged: boolean
  /** Whether it differs in where the terms of a control end, and in nothing else. */
  readonly isShifted?: boolean
}

/** A control with what it was made of. */
interface SignedControl {
  readonly terms: readonly string[]
  readonly control: string
}

/** What changes of a control that was seen, when another one was seen as well. */
type Mutation = (seen: SignedControl, random: Random, other: SignedControl) => Partial<SignedControl>

/** Those that keep the joined text verify by the formula's nature. */
const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'digit of the control': ({ control }, random) => ({ control: otherDigit(control, random) }),
  'control cut short': ({ control }, random) => ({ control: control.slice(0, random.below(40)) }),
  'control empty': () => ({ control: '' }),
  'control doubled': ({ control }) => ({ control: control + control }),
  'control with more around it': ({ control }, random) => ({
    control: random.pick([` ${control}`, `${control}\n`, `0x${control}`]),
  }),
  'control of zeros': () => ({ control: '0'.repeat(40) }),
  'control of another request': (_seen, _random, { control }) => ({ control }),
  'terms of another request': (_seen, _random, { terms }) => ({ terms }),
  'bit of a term': ({ terms }, random) => ({ terms: withOther(terms, random, (term) => flipBit(term, random)) }),
  'character more in a term': ({ terms }, random) => ({ terms: withOther(terms, random, (term) => `${term}0`) }),
  'term emptied': ({ terms }, random) => ({ terms: withOther(terms, random, () => '') }),
  'two terms swapped': ({ terms }, random) => ({ terms: random.shuffle(terms) }),
  'boundary shifted': ({ terms }, random) => ({ terms: shifted(terms, random) }),
}

/** How often one signed request is mutated before the next is made. */
const MUTANTS = 50

/** Mutants of signed controls, judged. */
export function* forgeControls(count: number, random: Random): Generator<Judgement> {
  const kinds = Object.entries(MUTATIONS)
  for (let done = 0; done < count; ) {
    const key = `key${anyText(random, 30)}`
    const [seen, other] = [anyControl(random, key), anyControl(random, key)]
    for (let mutant = 0; mutant < MUTANTS && done < count; mutant++, done++) {
      const [kind, mutate] = random.pick(kinds)
      yield judge(kind, seen, { ...seen, ...mutate(seen, random, other) }, key)
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

function otherDigit(control: string, random: Random): string {
  const at = random.below(40)
  const digit = (Number.parseInt(control.charAt(at), 16) ^ (1 + random.below(15))).toString(16)
  return control.slice(0, at) + digit + control.slice(at + 1)
}

function withOther(terms: readonly string[], random: Random, change: (term: string) => string): string[] {
  const at = random.below(terms.length)
  return terms.map((term, index) => (index === at ? change(term) : term))
}

function flipBit(term: string, random: Random): string {
  const at = random.below(Math.max(1, term.length))
  return (
    term.slice(0, at) + String.fromCharCode((term.charCodeAt(at) || 0) ^ (1 << random.below(15))) + term.slice(at + 1)
  )
}

/** Characters that move over a border between two terms: order A for 110.00 becomes order A1 for 10.00. */
function shifted(terms: readonly string[], random: Random): string[] {
  const at = random.below(Math.max(1, terms.length - 1))
  const [left = '', right = ''] = terms.slice(at, at + 2)
  const cut = random.below(left.length + right.length + 1)
  const joined = left + right
  return terms.toSpliced(at, 2, joined.slice(0, cut), joined.slice(cut))
}
