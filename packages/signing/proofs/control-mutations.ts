import type { Random } from '@tallystick/proof-kit'

/** A control with what it was made of. */
export type SignedControl = { readonly terms: readonly string[]; readonly control: string }

/** Ways to change a control or its terms. Those that keep the joined text verify by the formula's nature. */
export const CONTROL_MUTATIONS: Readonly<
  Record<string, (seen: SignedControl, other: SignedControl, random: Random) => SignedControl>
> = {
  'digit of the control': ({ terms, control }, _other, random) => ({ terms, control: otherDigit(control, random) }),
  'control cut short': ({ terms, control }, _other, random) => ({ terms, control: control.slice(0, random.below(40)) }),
  'control empty': ({ terms }) => ({ terms, control: '' }),
  'control doubled': ({ terms, control }) => ({ terms, control: control + control }),
  'control with more around it': ({ terms, control }, _other, random) => ({
    terms,
    control: random.pick([` ${control}`, `${control}\n`, `0x${control}`]),
  }),
  'control of zeros': ({ terms }) => ({ terms, control: '0'.repeat(40) }),
  'control of another request': ({ terms }, { control }) => ({ terms, control }),
  'terms of another request': ({ control }, { terms }) => ({ terms, control }),
  'bit of a term': ({ terms, control }, _other, random) => ({
    terms: withOther(terms, random, (term) => flipBit(term, random)),
    control,
  }),
  'character more in a term': ({ terms, control }, _other, random) => ({
    terms: withOther(terms, random, (term) => `${term}0`),
    control,
  }),
  'term emptied': ({ terms, control }, _other, random) => ({ terms: withOther(terms, random, () => ''), control }),
  'two terms swapped': ({ terms, control }, _other, random) => ({ terms: random.shuffle(terms), control }),
  'boundary shifted': ({ terms, control }, _other, random) => ({ terms: shifted(terms, random), control }),
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
