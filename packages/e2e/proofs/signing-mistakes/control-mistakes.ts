import { createHash, createHmac } from 'node:crypto'
import { type Base, FORMULAS, type Formula } from './bases.ts'
import { formOf, type Mistake, posted, rfc3986, STRAY, type Variant } from './variants.ts'
import { ENDPOINT, GROUP, LOGIN, type Pair, RIVAL, type World } from './world.ts'

interface Term {
  readonly name: string
  readonly text: string
}

/** What a program has when it signs. */
interface Signing {
  readonly base: Base
  readonly world: Pick<World, 'baseUrl' | 'key'>
  readonly terms: readonly Term[]
}

interface Changes {
  readonly fields?: readonly Pair[]
  readonly endpoint?: string
  readonly segment?: string
}

const sha1 = (text: string) => createHash('sha1').update(text, 'utf8').digest('hex')

function pairsOf({ fields }: Base): readonly Pair[] {
  return fields.map(({ name, value }) => [name, value])
}

function sentAs({ fields }: Base, field: string): string {
  return fields.find((each) => each.field === field)?.value ?? ''
}

/** Without a float: the point is shifted on the text. */
function cents(amount: string): string {
  const [whole = '', decimals = ''] = amount.split('.')
  return amount === '' ? '' : `${whole}${decimals.padEnd(2, '0')}`.replace(/^0+(?=\d)/, '')
}

function termsOf(base: Base, formula: Formula): readonly Term[] {
  const amount = sentAs(base, 'amount')
  return formula.map((name) => {
    if (name === 'endpointId') return { name, text: base.endpoint }
    if (name === 'amount') return { name, text: cents(amount) }
    return { name, text: name === 'currency' && amount === '' ? '' : sentAs(base, name) }
  })
}

export function signingOf(base: Base, world: Pick<World, 'baseUrl' | 'key'>): Signing {
  return { base, world, terms: termsOf(base, base.formula) }
}

function sent({ base, world }: Signing, control: string | undefined, changes: Changes = {}): Variant {
  const { fields = pairsOf(base), endpoint = base.endpoint, segment = base.segment } = changes
  const body = formOf(control === undefined ? fields : [...fields, ['control', control]])
  const url = `${world.baseUrl}${base.path}${segment}${endpoint}`
  return { identity: `${url} ${body}`, request: () => posted(url, {}, body) }
}

const joined = (terms: readonly Term[]) => terms.map(({ text }) => text).join('')

export function rightly(signing: Signing): Variant {
  return sent(signing, sha1(joined(signing.terms) + signing.world.key))
}

type Control = Mistake<Signing>

/** One term signed otherwise. */
function ofTerm(name: string, truth: Control['truth'], texts: (term: Term, base: Base) => readonly string[]): Control {
  return {
    name,
    truth,
    variants: (signing) =>
      signing.terms.flatMap((term, at) =>
        texts(term, signing.base).map((text) => {
          const terms = signing.terms.with(at, { ...term, text })
          return sent(signing, sha1(joined(terms) + signing.world.key))
        }),
      ),
  }
}

function ofKey(name: string, truth: Control['truth'], keys: (key: string) => readonly string[]): Control {
  return {
    name,
    truth,
    variants: (signing) => keys(signing.world.key).map((key) => sent(signing, sha1(joined(signing.terms) + key))),
  }
}

/** The terms and the key in another order, with others among them, or with something between them. */
function ofTexts(
  name: string,
  truth: Control['truth'],
  texts: (terms: readonly string[], key: string, base: Base) => readonly string[],
): Control {
  return {
    name,
    truth,
    variants: (signing) => {
      const terms = signing.terms.map(({ text }) => text)
      return texts(terms, signing.world.key, signing.base).map((text) => sent(signing, sha1(text)))
    },
  }
}

function ofDigest(
  name: string,
  truth: Control['truth'],
  digests: (terms: string, key: string) => readonly string[],
): Control {
  return {
    name,
    truth,
    variants: (signing) => digests(joined(signing.terms), signing.world.key).map((control) => sent(signing, control)),
  }
}

/** What is sent is otherwise than what was signed. */
function ofSent(name: string, truth: Control['truth'], changes: (signing: Signing) => readonly Changes[]): Control {
  return {
    name,
    truth,
    variants: (signing) => {
      const control = sha1(joined(signing.terms) + signing.world.key)
      return changes(signing).map((change) => sent(signing, control, change))
    },
  }
}

const NOTHING = ['undefined', 'null', 'None', 'NULL', '0']
const isAmount = ({ name, text }: Term) => name === 'amount' && text !== ''

function without(base: Base, field: string): readonly Pair[] {
  return base.fields.filter((each) => each.field !== field).map(({ name, value }) => [name, value])
}

function changed(base: Base, field: string, change: (value: string) => string): readonly Pair[] {
  return base.fields.map((each) => [each.name, each.field === field ? change(each.value) : each.value])
}

const isSent = ({ name, text }: Term) => !['endpointId', 'login', 'amount'].includes(name) && text !== ''

export const CONTROL_MISTAKES: readonly Control[] = [
  ofTerm('the amount in units', 'amount-in-units', (term, base) =>
    isAmount(term) ? [sentAs(base, 'amount'), Number(sentAs(base, 'amount')).toFixed(2)] : [],
  ),
  ofTerm('the point taken out of the amount', 'amount-point-removed', (term, base) =>
    isAmount(term) ? [sentAs(base, 'amount').replace('.', '')] : [],
  ),
  ofTerm('the amount as a float', 'amount-by-float', (term, base) => {
    const scaled = Number(sentAs(base, 'amount')) * 100
    return isAmount(term) ? [String(Math.trunc(scaled)), String(scaled), `${Math.round(scaled)}.0`] : []
  }),
  ofTerm('a value with white space at its end', 'value-not-trimmed', ({ text }) =>
    text === '' ? [] : STRAY.map((space) => text + space),
  ),
  ofSent(
    'a field that was trimmed before it was signed, and not before it was sent',
    'value-not-trimmed',
    ({ base, terms }) =>
      terms
        .filter(isSent)
        .flatMap(({ name }) => [' ', '\n'].map((space) => ({ fields: changed(base, name, (value) => value + space) }))),
  ),
  ofTerm('a value in another case', 'value-case-changed', ({ name, text }) =>
    name === 'endpointId' ? [] : [text.toLowerCase(), text.toUpperCase()],
  ),
  ofTerm('a value encoded', 'value-encoded', ({ text }) => [rfc3986(text), encodeURIComponent(text)]),
  ofTerm('a value without its hyphens', 'hyphens-removed', ({ text }) => [text.replaceAll('-', '')]),
  ofTexts('the terms in another order', 'wrong-order', (terms, key) => [
    ...terms.slice(1).map(
      (_, at) =>
        terms
          .with(at, terms[at + 1] ?? '')
          .with(at + 1, terms[at] ?? '')
          .join('') + key,
    ),
    terms.toReversed().join('') + key,
  ]),
  ofTexts('the key first', 'wrong-order', (terms, key) => [key + terms.join('')]),
  ofTerm('what an absent value prints', 'absent-term-not-empty', ({ text }) => (text === '' ? NOTHING : [])),
  ofTexts('what absent values print, each of them', 'absent-term-not-empty', (terms, key) =>
    terms.includes('') ? NOTHING.map((nothing) => terms.map((text) => text || nothing).join('') + key) : [],
  ),
  ofTerm(
    "the gateway's id of an order that was asked for by the shop's",
    'absent-term-not-empty',
    ({ name, text }, base) =>
      name === 'orderId' && text === '' && base.storedOrderId !== '' ? [base.storedOrderId] : [],
  ),
  {
    name: 'the formula of another operation',
    truth: 'formula-of-other-operation',
    variants: (signing) =>
      Object.values(FORMULAS)
        .filter((formula) => formula !== signing.base.formula)
        .map((formula) => sent(signing, sha1(joined(termsOf(signing.base, formula)) + signing.world.key))),
  },
  ofTerm('a term left out', 'term-left-out', ({ text }) => (text === '' ? [] : [''])),
  ofTexts('something between the terms', 'terms-separated', (terms, key) =>
    ['|', ',', ':', ' ', ';', '&', '-', '_'].flatMap((mark) => [[...terms, key].join(mark), terms.join(mark) + key]),
  ),
  ofTexts('a field that is no term', 'field-added', (terms, key, base) =>
    ['amount', 'currency', 'orderDesc', 'login'].flatMap((field) => {
      const text = sentAs(base, field)
      if (text === '' || base.formula.includes(field)) return []
      return [...terms, key].map((_, at) => terms.toSpliced(at, 0, text).join('') + key)
    }),
  ),
  ofKey('the key with white space', 'key-with-white-space', (key) => STRAY.map((space) => key + space)),
  ofTexts('a line feed at the end of the text, as echo writes it', 'key-with-white-space', (terms, key) => [
    `${terms.join('') + key}\n`,
  ]),
  ofKey('the key in another case', 'key-case-changed', (key) => [key.toLowerCase(), key.toUpperCase()]),
  ofKey('the key without its hyphens', 'hyphens-removed', (key) => [key.replaceAll('-', '')]),
  ofKey('the key with its quotes', 'key-in-quotes', (key) => [`"${key}"`, `'${key}'`]),
  ofKey('the key left out', 'key-left-out', () => ['']),
  ofKey('the text that a secret prints', 'wrong-key', () => ['[secret]']),
  // Nobody can tell one unknown key from another, or from an unknown text: the page says so, and what to compare.
  ofKey('a key that the gateway does not know', /^No single mistake explains this: compare your key/, (key) => [
    sha1(key).slice(0, 32),
    key.slice(0, -1),
  ]),
  {
    name: 'the id of an endpoint for that of its group',
    truth: 'endpoint-for-group',
    variants: (signing) =>
      signing.base.endpoint === GROUP
        ? [sent(signing, sha1(joined(ofEndpoint(signing, ENDPOINT)) + signing.world.key))]
        : [],
  },
  {
    name: 'the id of a group for that of an endpoint',
    truth: 'group-for-endpoint',
    variants: (signing) =>
      signing.base.endpoint === ENDPOINT
        ? [sent(signing, sha1(joined(ofEndpoint(signing, GROUP)) + signing.world.key))]
        : [],
  },
  {
    name: 'the login for the id of the endpoint',
    truth: 'login-for-endpoint',
    variants: (signing) => [sent(signing, sha1(joined(ofEndpoint(signing, LOGIN)) + signing.world.key))],
  },
  ofDigest('another hash', 'wrong-hash', (terms, key) =>
    ['md5', 'sha256', 'sha512'].map((name) =>
      createHash(name)
        .update(terms + key)
        .digest('hex'),
    ),
  ),
  ofDigest('the hash in base64', 'wrong-hash', (terms, key) => [
    createHash('sha1')
      .update(terms + key)
      .digest('base64'),
  ]),
  ofDigest('an HMAC', 'hmac-for-hash', (terms, key) =>
    [terms, terms + key].map((text) => createHmac('sha1', key).update(text).digest('hex')),
  ),
  {
    name: 'no control',
    truth: /^The field control is missing/,
    variants: (signing) => [sent(signing, undefined)],
  },
  // Not of an order or a card that there is: what was not sent is not recorded, and nobody can make up its id.
  ofSent('a signed field that is not sent', /was not sent/, ({ base }) =>
    ['email', 'clientOrderId']
      .filter((field) => base.formula.includes(field) && !base.formula.includes('login'))
      .map((field) => ({ fields: without(base, field) })),
  ),
  ofSent('the login of another merchant', /^The login rival is not that of the merchant/, ({ base }) =>
    sentAs(base, 'login') === '' ? [] : [{ fields: changed(base, 'login', () => RIVAL) }],
  ),
  ofSent('an endpoint that there is not', /^There is no endpoint or group of this id/, () => [{ endpoint: '9999' }]),
  ofSent('an endpoint addressed as a group', /is the id of an endpoint, not of a group/, ({ base }) =>
    base.endpoint === ENDPOINT && base.formula !== FORMULAS.informed ? [{ segment: '/group/' }] : [],
  ),
  {
    name: 'JSON',
    truth: /JSON is not read/,
    // Nothing of it is recorded, so that an order that it names is not known.
    variants: ({ base, world }) => {
      if (['orderId', 'cardRefId'].some((field) => base.formula.includes(field))) return []
      const body = JSON.stringify(Object.fromEntries(pairsOf(base)))
      const url = `${world.baseUrl}${base.path}${base.segment}${base.endpoint}`
      return [{ identity: `${url} ${body}`, request: () => posted(url, {}, body) }]
    },
  },
]

function ofEndpoint({ terms }: Signing, id: string): readonly Term[] {
  return terms.map((term) => (term.name === 'endpointId' ? { ...term, text: id } : term))
}
