import fc from 'fast-check'
import { IN_ORDER, type Mood } from './bank.ts'

/** What can happen next. The small numbers choose among what is there when the step is taken. */

const small = (most: number) => fc.nat({ max: most })
/** Mostly `usual`. */
const often = <Value>(weight: number, usual: Value, ...others: readonly Value[]) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: others.length, arbitrary: fc.constantFrom(...others) })
const rarely = (n: number) => small(n).map((drawn) => drawn === n)

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const mood: fc.Arbitrary<Mood> = fc.oneof(
  { weight: 7, arbitrary: fc.constant(IN_ORDER) },
  {
    weight: 3,
    arbitrary: fc.record({
      answers: fc.constantFrom('at once', 'late', 'never', 'unknown', 'by failing'),
      truth: fc.constantFrom('as usual', 'as usual', 'declined', 'filtered', 'error', 'nothing'),
      forgets: small(3),
      lateByMs: fc.constantFrom(
        7_001,
        47_001,
        14 * MINUTE + 1,
        29 * MINUTE + 1,
        31 * MINUTE + 1,
        3 * HOUR + 1,
        2 * DAY + 1,
      ),
      isShut: rarely(6),
    }),
  },
)

export const OPENINGS = [
  'sale',
  'sale',
  'preauth',
  'preauth',
  'preauth',
  'account-verification',
  'payout',
  'payout-check',
  'payout-check',
  'payout-check',
  'preauth',
  'preauth',
  'sale',
  'transfer',
  'transfer-by-ref',
  'make-rebill',
  'make-rebill-sale',
  'make-rebill-preauth',
  'pan-eligibility/send',
  'sale-form',
  'preauth-form',
  'payment-form',
  'account-verification-form',
  'payout-form',
] as const

const PLAIN = ['plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'plain'] as const

const open = fc.record({
  does: fc.constant('open' as const),
  path: fc.constantFrom(...OPENINGS),
  target: fc.constantFrom('1111', '1112', 'group/1100', '1100', '2222'),
  currency: fc.constantFrom('EUR', 'EUR', 'USD'),
  cents: fc.constantFrom(1042, 1000, 300, 1, 6000),
  card: fc.constantFrom(...PLAIN, 'challenge', 'method', 'frictionless', 'pareq', 'declined'),
  threeDs: fc.constantFrom('redirect' as const, 'server' as const),
  server: fc.boolean(),
  notify: fc.boolean(),
  /** Which existing client order id to use again, or that of which coming charge. `undefined`: a new one. */
  reuses: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: small(9) }),
  stored: small(5),
  /** The fault of a first try, which comes before the request itself. */
  fault: often(
    15,
    undefined,
    'reply-lost-before-commit' as const,
    'reply-lost-after-commit' as const,
    'error-then-committed' as const,
    'overloaded' as const,
    'html-page' as const,
    'truncated-body' as const,
  ),
  mood,
})

const modify = fc.record({
  does: fc.constant('modify' as const),
  action: fc.constantFrom('capture', 'capture', 'void', 'return', 'return', 'pay'),
  order: small(9),
  by: often(
    9,
    'owner' as const,
    'by the group' as const,
    'other endpoint' as const,
    'stranger' as const,
    'other order id' as const,
  ),
  amount: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('none' as const, 'part' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        'whole' as const,
        'more' as const,
        'zero' as const,
        'other currency' as const,
        'without currency' as const,
      ),
    },
  ),
  mood,
})

const repeat = fc.record({ does: fc.constant('repeat' as const), request: small(20), isReplay: fc.boolean() })

const storeCard = fc.record({
  does: fc.constant('store card' as const),
  version: fc.constantFrom('v2' as const, 'v4' as const),
  order: small(9),
  isStranger: rarely(6),
})

const cardInfo = fc.record({ does: fc.constant('card info' as const), stored: small(9), isStranger: rarely(5) })

const upload = fc.record({
  does: fc.constant('upload' as const),
  order: small(9),
  step: fc.constantFrom(
    'cres' as const,
    'pares' as const,
    'method-url' as const,
    'right' as const,
    'right' as const,
    'right' as const,
  ),
  verdict: fc.constantFrom('authenticated' as const, 'authenticated' as const, 'failed' as const, 'cancelled' as const),
  isStranger: rarely(8),
  mood,
})

const visit = fc.record({
  does: fc.constant('visit' as const),
  order: small(9),
  types: fc.constantFrom('right', 'right', 'right', 'right', 'wrong', 'nothing'),
  card: fc.constantFrom('plain', 'plain', 'challenge', 'method', 'pareq', 'declined'),
  mood,
})

const SHORT = [SECOND, SECOND, SECOND, SECOND, SECOND, SECOND, MINUTE, MINUTE, MINUTE] as const

const goOn = fc.record({
  does: fc.constant('go on' as const),
  by: fc.constantFrom(
    ...SHORT,
    5 * MINUTE,
    9 * MINUTE,
    16 * MINUTE,
    30 * MINUTE,
    HOUR,
    23 * HOUR,
    DAY,
    2 * DAY,
    5 * DAY,
    7 * DAY,
  ),
  shopIsDown: rarely(6),
  mood,
})

const restart = fc.record({
  does: fc.constant('restart' as const),
  newVaultKey: fc.boolean(),
  newControlKey: rarely(3),
  clockBack: often(4, 0, 1, 100 * SECOND),
  notifyUrl: fc.constantFrom('https://shop.example.com/one', 'https://shop.example.com/two', undefined),
  takesDollars: fc.boolean(),
  servesBoth: often(3, true, false),
})

const operator = fc.record({
  does: fc.constantFrom('resend' as const, 'record outcome' as const, 'rotate cards' as const),
  order: small(9),
  outcome: fc.constantFrom('approved' as const, 'declined' as const, 'error' as const),
})

const chargeback = fc.record({
  does: fc.constant('chargeback' as const),
  order: small(9),
  amount: fc.constantFrom('none', 'none', 'part', 'more'),
  caseId: fc.constantFrom(undefined, undefined, 'CB-1', 'CB-2'),
})

const subscribe = fc.record({
  does: fc.constant('subscribe' as const),
  target: fc.constantFrom('1111', '2222'),
  isSource: fc.boolean(),
  period: fc.constantFrom(undefined, 'day' as const, 'week' as const),
  interval: fc.constantFrom(1, 3),
  amounts: fc.constantFrom('9.99', '1.00,2.00'),
  startsIn: fc.constantFrom(undefined, 0, 1, 4),
  lasts: fc.constantFrom(undefined, 9),
})

const ask = fc.record({
  does: fc.constant('ask' as const),
  order: small(9),
  how: fc.constantFrom(
    'own id' as const,
    'by a stranger' as const,
    'other serial number' as const,
    'other order id' as const,
  ),
})

export const step = fc.oneof(
  { weight: 1, arbitrary: ask },
  { weight: 16, arbitrary: open },
  { weight: 14, arbitrary: modify },
  { weight: 2, arbitrary: repeat },
  { weight: 3, arbitrary: storeCard },
  { weight: 1, arbitrary: cardInfo },
  { weight: 5, arbitrary: upload },
  { weight: 5, arbitrary: visit },
  { weight: 4, arbitrary: goOn },
  { weight: 1, arbitrary: restart },
  { weight: 2, arbitrary: operator },
  { weight: 1, arbitrary: chargeback },
  { weight: 1, arbitrary: subscribe },
)
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
export type StepOf<Does extends Step['does']> = Extract<Step, { readonly does: Does }>
