import { createHash, createHmac } from 'node:crypto'
import type { Random } from '@tallystick/proof-kit'
import type { ControlCause } from '../../src/doctor/explain-control.ts'
import type { ControlEvidence } from '../../src/internal.ts'

/** The formulas of the specification's part 4, and how their terms are read. */
const payment = ['endpointId', 'clientOrderId', 'amountInCents', 'email']
const modification = ['login', 'clientOrderId', 'orderId', 'amountInCents', 'currency']
export const formulas = {
  SALE: payment,
  CAPTURE: modification,
  STATUS: ['login', 'clientOrderId', 'orderId'],
  REBILL: ['login', 'clientOrderId', 'cardRefId', 'amountInCents', 'currency'],
  CARDINFO: ['login', 'cardRefId'],
  ACCOUNT_VERIFICATION: ['endpointId', 'clientOrderId', 'email'],
}
type Operation = keyof typeof formulas
export const operations = Object.keys(formulas) as Operation[]
const withAmount: Operation[] = ['SALE', 'CAPTURE', 'REBILL']

export const rules: ControlEvidence['rules'] = {
  endpointId: { reads: 'path' },
  clientOrderId: { reads: 'field', field: 'client_orderid' },
  orderId: { reads: 'field', field: 'orderid' },
  cardRefId: { reads: 'field', field: 'cardrefid' },
  amountInCents: { reads: 'amount', field: 'amount' },
  currency: { reads: 'field', field: 'currency', onlyWith: 'amount' },
}

/** What a merchant's program has when it signs. */
export type Request = {
  readonly operation: Operation
  readonly terms: Record<string, string>
  readonly cents: number
  readonly evidence: ControlEvidence
}

export function anyRequest(
  random: Random,
  operation = random.pick(operations),
  cents = 100 + random.below(1_000_000),
): Request {
  const terms: Record<string, string> = {
    endpointId: random.digits(5),
    clientOrderId: `inv-${random.text(8, 'abcdefghijk0123456789')}x`,
    orderId: random.digits(15),
    cardRefId: random.digits(15),
    amountInCents: String(cents),
    currency: random.pick(['EUR', 'USD', 'GBP']),
    email: `${random.text(6, 'abcdefghijk')}@example.com`,
    login: `shop-${random.text(5, 'lmnopq')}`,
  }
  const key = random.text(32, '0123456789ABCDEF')
  const [whole, fraction] = [Math.floor(cents / 100), String(cents % 100).padStart(2, '0')]
  const fields = {
    client_orderid: terms['clientOrderId'] ?? '',
    orderid: terms['orderId'] ?? '',
    cardrefid: terms['cardRefId'] ?? '',
    amount: `${whole}.${fraction}`,
    currency: terms['currency'] ?? '',
    email: terms['email'] ?? '',
    login: terms['login'] ?? '',
  }
  const evidence = {
    formula: formulas[operation],
    otherFormulas: Object.fromEntries(Object.entries(formulas).filter(([name]) => name !== operation)),
    rules,
    fields,
    path: { kind: 'endpoint', id: terms['endpointId'] ?? '', otherId: random.digits(4) },
    key,
    control: '',
  } as const
  return { operation, terms, cents, evidence }
}

export function sha1(text: string): string {
  return createHash('sha1').update(text, 'utf8').digest('hex')
}

/** The text of the formula as the specification writes it: term after term, the key last. */
export function text({ terms, operation, evidence }: Request, change: Record<string, string> = {}): string {
  return formulas[operation].map((term) => change[term] ?? terms[term]).join('') + evidence.key
}

/** A request with its right control. */
export function rightControl(random: Random): ControlEvidence {
  const request = anyRequest(random)
  return { ...request.evidence, control: sha1(text(request)) }
}

type Broken = ControlEvidence

/** Whether the terms are those of the formula, or all but one of them: such a control could be a mistake with either formula. */
function isPartOf(terms: readonly string[], formula: readonly string[]): boolean {
  return [-1, ...formula.keys()].some((left) => formula.filter((_, at) => at !== left).join() === terms.join())
}

/** For each cause a merchant's program that makes the mistake. Written from its description, not from the doctor. */
export const CONTROL_BREAKERS: Readonly<Record<Exclude<ControlCause, 'different-text'>, (random: Random) => Broken>> = {
  'value-not-trimmed': (random) => {
    const request = anyRequest(random, random.pick(['SALE', 'ACCOUNT_VERIFICATION']))
    const typed = random.pick([
      ` ${request.terms['email']}`,
      `${request.terms['email']} `,
      `${request.terms['email']}\n`,
    ])
    return random.below(2) === 0
      ? { ...request.evidence, fields: { ...request.evidence.fields, email: typed }, control: sha1(text(request)) }
      : { ...request.evidence, control: sha1(text(request, { email: typed })) }
  },
  'value-case-changed': (random) => {
    const request = anyRequest(random, 'SALE')
    return {
      ...request.evidence,
      control: sha1(text(request, { email: (request.terms['email'] ?? '').toUpperCase() })),
    }
  },
  'amount-in-units': (random) => {
    const request = anyRequest(random, random.pick(withAmount))
    return { ...request.evidence, control: sha1(text(request, { amountInCents: (request.cents / 100).toFixed(2) })) }
  },
  'amount-point-removed': (random) => {
    const request = anyRequest(random, random.pick(withAmount), 1 + random.below(99))
    return {
      ...request.evidence,
      control: sha1(text(request, { amountInCents: `0${String(request.cents).padStart(2, '0')}` })),
    }
  },
  'amount-by-float': (random) => {
    let cents = 0
    do cents = 100 + random.below(1_000_000)
    while (Math.trunc((cents / 100) * 100) === cents)
    const request = anyRequest(random, random.pick(withAmount), cents)
    const printed = random.pick([String(Math.floor((cents / 100) * 100)), `${cents}.0`])
    return { ...request.evidence, control: sha1(text(request, { amountInCents: printed })) }
  },
  'wrong-order': (random) => {
    const request = anyRequest(random)
    const right = formulas[request.operation].map((term) => request.terms[term] ?? '')
    let wrong = right
    while (wrong.join() === right.join()) wrong = random.shuffle(right)
    return { ...request.evidence, control: sha1(wrong.join('') + request.evidence.key) }
  },
  'absent-term-not-empty': (random) => {
    const request = anyRequest(random, 'STATUS')
    const { orderid: orderId, ...fields } = request.evidence.fields
    const known = orderId ?? ''
    const signed = random.pick(['undefined', 'null', 'None', '0', known])
    const absentValues = { orderid: [known] }
    return { ...request.evidence, fields, absentValues, control: sha1(text(request, { orderId: signed })) }
  },
  'formula-of-other-operation': (random) => {
    const request = anyRequest(random)
    const other = random.pick(operations.filter((name) => !isPartOf(formulas[name], formulas[request.operation])))
    return { ...request.evidence, control: sha1(text({ ...request, operation: other })) }
  },
  'wrong-key': (random) => {
    const request = anyRequest(random)
    const other = anyRequest(random).evidence.key
    const control = sha1(text({ ...request, evidence: { ...request.evidence, key: other } }))
    return { ...request.evidence, otherKeys: ['unrelated', other], control }
  },
  'key-with-white-space': (random) => {
    const request = anyRequest(random)
    // White space before the key cannot be told from white space after the last term.
    const pasted = random.pick([`${request.evidence.key}\n`, `${request.evidence.key}\r\n`, `${request.evidence.key} `])
    return { ...request.evidence, control: sha1(text({ ...request, evidence: { ...request.evidence, key: pasted } })) }
  },
  'key-case-changed': (random) => {
    const request = anyRequest(random)
    // The key gets a letter, so that the other case always changes it.
    const key = `A${request.evidence.key.slice(1)}`
    const control = sha1(text({ ...request, evidence: { ...request.evidence, key: key.toLowerCase() } }))
    return { ...request.evidence, key, control }
  },
  'hyphens-removed': (random) => {
    const request = anyRequest(random)
    if (random.below(2) === 0) {
      const key = `${request.evidence.key.slice(0, 8)}-${request.evidence.key.slice(8)}`
      return { ...request.evidence, key, control: sha1(text(request)) }
    }
    const withId = { ...request, operation: 'SALE', evidence: { ...request.evidence, formula: formulas.SALE } } as const
    const clientOrderId = (request.terms['clientOrderId'] ?? '').replaceAll('-', '')
    return { ...withId.evidence, control: sha1(text(withId, { clientOrderId })) }
  },
  'key-in-quotes': (random) => {
    const request = anyRequest(random)
    const key = random.pick([`"${request.evidence.key}"`, `'${request.evidence.key}'`])
    return { ...request.evidence, control: sha1(text({ ...request, evidence: { ...request.evidence, key } })) }
  },
  'key-left-out': (random) => {
    const request = anyRequest(random)
    return { ...request.evidence, control: sha1(text({ ...request, evidence: { ...request.evidence, key: '' } })) }
  },
  'term-left-out': (random) => {
    const request = anyRequest(random)
    return { ...request.evidence, control: sha1(text(request, { [random.pick(formulas[request.operation])]: '' })) }
  },
  'endpoint-for-group': (random) => {
    const request = anyRequest(random, 'SALE')
    const endpoint = random.digits(4)
    const path = { kind: 'group', id: request.evidence.path.id, otherId: endpoint } as const
    return { ...request.evidence, path, control: sha1(text(request, { endpointId: endpoint })) }
  },
  'group-for-endpoint': (random) => {
    const request = anyRequest(random, 'ACCOUNT_VERIFICATION')
    return { ...request.evidence, control: sha1(text(request, { endpointId: request.evidence.path.otherId ?? '' })) }
  },
  'login-for-endpoint': (random) => {
    const request = anyRequest(random, random.pick(['SALE', 'ACCOUNT_VERIFICATION']))
    const login = request.terms['login'] ?? ''
    return { ...request.evidence, login, control: sha1(text(request, { endpointId: login })) }
  },
  'value-encoded': (random) => {
    const request = anyRequest(random, random.pick(['SALE', 'ACCOUNT_VERIFICATION']))
    return {
      ...request.evidence,
      control: sha1(text(request, { email: (request.terms['email'] ?? '').replace('@', '%40') })),
    }
  },
  'terms-separated': (random) => {
    const request = anyRequest(random)
    const separator = random.pick(['|', ',', ':', ' '])
    const terms = formulas[request.operation].map((term) => request.terms[term])
    return { ...request.evidence, control: sha1([...terms, request.evidence.key].join(separator)) }
  },
  'field-added': (random) => {
    const request = anyRequest(random, random.pick(['SALE', 'ACCOUNT_VERIFICATION']))
    const terms = formulas[request.operation].map((term) => request.terms[term] ?? '')
    const added = terms.toSpliced(random.below(terms.length + 1), 0, request.terms['currency'] ?? '')
    return { ...request.evidence, control: sha1(added.join('') + request.evidence.key) }
  },
  'wrong-hash': (random) => {
    const request = anyRequest(random)
    const hash = createHash(random.pick(['md5', 'sha256']))
      .update(text(request))
      .digest()
    const inBase64 = Buffer.from(sha1(text(request)), 'hex').toString('base64')
    return {
      ...request.evidence,
      control: random.pick([hash.toString('hex'), inBase64, inBase64.replaceAll('+', ' ')]),
    }
  },
  'hmac-for-hash': (random) => {
    const request = anyRequest(random)
    const { key } = request.evidence
    const signed = text({ ...request, evidence: { ...request.evidence, key: random.pick(['', key]) } })
    return { ...request.evidence, control: createHmac('sha1', key).update(signed).digest('hex') }
  },
}
