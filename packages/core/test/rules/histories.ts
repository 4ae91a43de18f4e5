import assert from 'node:assert/strict'
import fc from 'fast-check'
import { applyEvent, type OrderEvent, openOrder } from '../../src/rules/apply-event.ts'
import { allowedActions } from '../../src/rules/decide-action.ts'
import type { Order } from '../../src/rules/order.ts'
import { PlainOrder } from './plain-order.ts'

/** Random histories of orders, compared step by step with the independent model. */

const HOUR = 3_600_000
const FINAL = new Set<string>(['approved', 'declined', 'filtered', 'error'])
const ACTIONS = ['capture', 'void', 'return', 'pay', 'chargeback', 'release'] as const
const OUTCOMES = ['approved', 'declined', 'filtered', 'error', 'processing', 'unknown'] as const
const STATUSES = ['created', 'sent', ...OUTCOMES] as const

/** What was seen, so that a run that tests nothing is noticed. */
export interface HistoryFigures {
  histories: number
  events: number
  allowed: number
  refused: number
}

class Real {
  order: Order
  at = 0
  nextId = 1
  readonly finals = new Map<string, string>()
  readonly figures: HistoryFigures

  constructor(order: Order, figures: HistoryFigures) {
    this.order = order
    this.figures = figures
  }

  /** Applies an event; says what it made, or `no`. */
  apply(event: OrderEvent): string {
    const decision = applyEvent(this.order, event)
    this.figures.events += 1
    this.figures[decision.allowed ? 'allowed' : 'refused'] += 1
    if (!decision.allowed) return 'no'
    this.order = decision.order
    return `${decision.operation.kind} ${decision.operation.amount}`
  }
}

type Command = fc.Command<PlainOrder, Real>

/** How much an action asks for, in relation to what is left. */
const AMOUNTS = [
  'none',
  'all',
  'one too many',
  'one',
  'zero',
  'half',
  'currency alone',
  'no currency',
  'dollars',
] as const
type Amount = (typeof AMOUNTS)[number]

function moneyOf(how: Amount, left: bigint) {
  const amount = { all: left, 'one too many': left + 1n, one: 1n, zero: 0n, half: left / 2n }
  if (how === 'none') return { amount: undefined, currency: undefined }
  if (how === 'currency alone') return { amount: undefined, currency: 'EUR' }
  if (how === 'no currency') return { amount: left, currency: undefined }
  if (how === 'dollars') return { amount: left, currency: 'USD' }
  return { amount: amount[how], currency: 'EUR' }
}

class Act implements Command {
  readonly action: (typeof ACTIONS)[number]
  readonly how: Amount
  readonly wait: number

  constructor(action: (typeof ACTIONS)[number], how: Amount, wait: number) {
    this.action = action
    this.how = how
    this.wait = wait
  }

  check = () => true

  run(model: PlainOrder, real: Real): void {
    real.at += this.wait
    const { action } = this
    const left =
      action === 'pay' ? model.asked : model.onHold > 0n && action !== 'chargeback' ? model.onHold : model.inBox
    const asked = { action, at: real.at, ...moneyOf(this.how, left) }
    const id = `${real.nextId++}`
    const expected = model.answer(asked)
    assert.equal(real.apply({ type: 'append', id, ...asked }), expected)
    const [kind = '', amount = ''] = expected.split(' ')
    if (expected !== 'no') model.append(id, kind, BigInt(amount))
    compare(model, real)
  }

  toString = () => `${this.action}(${this.how}, after ${this.wait / HOUR} h)`
}

class Step implements Command {
  readonly which: number
  readonly to: (typeof STATUSES)[number]
  readonly wait: number

  constructor(which: number, to: (typeof STATUSES)[number], wait: number) {
    this.which = which
    this.to = to
    this.wait = wait
  }

  check = () => true

  run(model: PlainOrder, real: Real): void {
    real.at += this.wait
    const ids = [...model.operations.keys()]
    move(model, real, ids[this.which % ids.length] ?? '', this.to)
    compare(model, real)
  }

  toString = () => `step(${this.which}, ${this.to}, after ${this.wait / HOUR} h)`
}

/** Brings the newest operation to an outcome, so that most histories get somewhere. */
class Settle implements Command {
  readonly to: (typeof OUTCOMES)[number]

  constructor(to: (typeof OUTCOMES)[number]) {
    this.to = to
  }

  check = () => true

  run(model: PlainOrder, real: Real): void {
    const id = [...model.operations.keys()].at(-1) ?? ''
    if (model.operations.get(id)?.status === 'created') move(model, real, id, 'sent')
    move(model, real, id, this.to)
    compare(model, real)
  }

  toString = () => `settle(${this.to})`
}

function move(model: PlainOrder, real: Real, id: string, to: (typeof STATUSES)[number]): void {
  const expected = model.advance(id, to, real.at)
  assert.equal(real.apply({ type: 'advance', id, to, at: real.at }) !== 'no', expected)
}

/** The sums are the model's; nothing is overdrawn; nothing left a final status; advice is what happens. */
function compare(model: PlainOrder, real: Real): void {
  const { order } = real
  const { captured, cancelled, returned, chargedBack, paidOut } = model
  const sums = { captured, cancelled, returned, chargedBack, paidOut }
  for (const [name, sum] of Object.entries(sums)) assert.equal(order[name as keyof typeof sums], sum, name)
  assert.deepEqual({ ...order.inFlight, payout: 0n }, { hold: model.holdFlying, taken: model.boxFlying, payout: 0n })
  assert.ok(order.captured <= (model.approved ? model.asked : 0n), 'over-capture')
  assert.ok(order.captured + order.cancelled <= order.authorized, 'more captured and released than authorized')
  assert.ok(order.returned + order.chargedBack <= order.captured, 'over-refund')
  assert.ok(order.paidOut <= order.registered, 'more paid out than registered')
  assert.deepEqual(
    order.operations.map(({ id }) => id),
    [...model.operations.keys()],
  )
  for (const { id, kind, amount, status } of order.operations) {
    assert.deepEqual({ kind, amount, status }, model.operations.get(id))
    assert.equal(real.finals.get(id) ?? status, status, 'left a final status')
    if (FINAL.has(status)) real.finals.set(id, status)
  }
  for (const advice of allowedActions(order, real.at)) {
    if (advice.action === 'store-card') {
      const isPaid = order.opening.kind === 'payout-check' ? model.paidOut > 0n : order.opening.status === 'approved'
      assert.equal(advice.allowed, isPaid)
      continue
    }
    const expected = model.answer({ action: advice.action, at: real.at, amount: undefined, currency: undefined })
    assert.equal(advice.allowed ? `${advice.kind} ${advice.upTo}` : 'no', expected)
  }
}

/** Waits at the edges of a payout-check (a quarter of an hour), settlement (24 h) and hold (168 h), and longer. */
const wait = fc.constantFrom(0, 0, 0, 0, 0.2, 0.25, 1, 23, 24, 25, 144, 167, 168, 200).map((hours) => hours * HOUR)

const start = fc.record({
  kind: fc.constantFrom(
    ...(['preauth', 'preauth', 'preauth', 'sale', 'sale', 'payout-check', 'payout', 'transfer'] as const),
    'account-verification' as const,
  ),
  amount: fc.bigInt({ min: 1n, max: 1_000_000_000_000n }),
  /** Most originals are approved: little can be done with the others. */
  first: fc.constantFrom(...Array.from({ length: 8 }, () => 'approved' as const), ...OUTCOMES, 'created' as const),
})

const commands = fc.commands(
  [
    fc.tuple(fc.constantFrom(...ACTIONS), fc.constantFrom(...AMOUNTS), wait).map((given) => new Act(...given)),
    fc
      .tuple(fc.constantFrom('capture' as const, 'return' as const), fc.constantFrom('half' as const, 'one' as const))
      .map(([action, how]) => new Act(action, how, 0)),
    fc.constant(new Settle('approved')),
    fc.constantFrom(...OUTCOMES).map((to) => new Settle(to)),
    fc.tuple(fc.nat(9), fc.constantFrom(...STATUSES), wait).map((given) => new Step(...given)),
  ],
  { maxCommands: 30, size: 'max' },
)

/** Runs this many random histories. Throws with the shortest one that breaks a property. */
export function checkHistories(options: { readonly runs: number; readonly seed?: number | undefined }): HistoryFigures {
  const figures = { histories: 0, events: 0, allowed: 0, refused: 0 }
  const history = fc.property(start, commands, ({ kind, amount, first }, given) => {
    const asked = kind === 'account-verification' ? 0n : amount
    const opened = openOrder({ id: '0', kind, amount: asked, currency: 'EUR', at: 0 })
    assert.ok(opened.allowed)
    figures.histories += 1
    const setup = () => ({
      model: new PlainOrder(kind, asked, { settleAfter: 24 * HOUR, holdFor: 168 * HOUR, checkFor: HOUR / 4 }),
      real: new Real(opened.order, figures),
    })
    fc.modelRun(setup, [...(first === 'created' ? [] : [new Settle(first)]), ...given])
  })
  fc.assert(history, { numRuns: options.runs, ...(options.seed === undefined ? {} : { seed: options.seed }) })
  return figures
}
