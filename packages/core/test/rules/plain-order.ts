/**
 * The independent little model: a cash box per order, with counters that are moved by hand. It shares nothing with the
 * rules but the words.
 */

export type Word = string

export interface Asked {
  readonly action: Word
  readonly at: number
  readonly amount: bigint | undefined
  readonly currency: string | undefined
}

interface Flight {
  kind: Word
  amount: bigint
  status: Word
}

const STEPS = new Set(
  `created>sent created>error
   sent>approved sent>declined sent>filtered sent>error sent>processing sent>unknown
   processing>approved processing>declined processing>filtered processing>error processing>unknown
   unknown>approved unknown>declined unknown>filtered unknown>error`.split(/\s+/),
)

const FAILED = new Set(['declined', 'filtered', 'error'])

export class PlainOrder {
  readonly operations = new Map<string, Flight>()
  onHold = 0n
  holdFlying = 0n
  inBox = 0n
  boxFlying = 0n
  captured = 0n
  cancelled = 0n
  returned = 0n
  chargedBack = 0n
  paidOut = 0n
  payAppended = false
  approvedAt = Number.NaN
  readonly takenAt: number[] = []
  readonly first: Word
  readonly asked: bigint
  readonly settleAfter: number
  readonly holdFor: number
  readonly checkFor: number

  constructor(first: Word, asked: bigint, times: { settleAfter: number; holdFor: number; checkFor: number }) {
    this.first = first
    this.asked = asked
    this.settleAfter = times.settleAfter
    this.holdFor = times.holdFor
    this.checkFor = times.checkFor
    this.operations.set('0', { kind: first, amount: asked, status: 'created' })
  }

  get approved(): boolean {
    return this.operations.get('0')?.status === 'approved'
  }

  /** `kind amount` of the operation that an action makes, or `no`. */
  answer({ action, at, amount, currency }: Asked): string {
    if (currency !== undefined && currency !== 'EUR') return 'no'
    const paired = (amount === undefined) === (currency === undefined)
    const part = (kind: string, left: bigint) =>
      left > 0n && (amount === undefined || (amount > 0n && amount <= left)) ? `${kind} ${amount ?? left}` : 'no'
    const whole = (kind: string, left: bigint) => (amount === undefined || amount === left ? part(kind, left) : 'no')
    const expired = at >= this.approvedAt + this.holdFor
    const preauth = this.first === 'preauth' && this.approved
    const cancel = preauth && !expired && this.holdFlying === 0n ? whole('cancel', this.onHold) : 'no'
    switch (action) {
      case 'capture':
        return preauth && !expired && this.holdFlying === 0n && paired ? part('capture', this.onHold) : 'no'
      case 'release':
        return preauth && expired && this.holdFlying === 0n ? whole('cancel', this.onHold) : 'no'
      case 'void': {
        if (preauth && this.captured < this.asked) return cancel
        const settled = this.takenAt.some((taken) => at - taken >= this.settleAfter)
        return settled || this.boxFlying > 0n || this.inBox < this.captured ? 'no' : whole('reversal', this.inBox)
      }
      case 'return':
        if (preauth && this.captured === 0n) return paired ? cancel : 'no'
        return paired && this.boxFlying === 0n ? part('reversal', this.inBox) : 'no'
      case 'chargeback':
        return part('chargeback', this.inBox)
      case 'pay':
        return this.first === 'payout-check' &&
          this.approved &&
          !this.payAppended &&
          at < this.approvedAt + this.checkFor
          ? whole('payout-pay', this.asked)
          : 'no'
      default:
        throw new Error(action)
    }
  }

  append(id: string, kind: Word, amount: bigint): void {
    this.operations.set(id, { kind, amount, status: 'created' })
    if (kind === 'capture' || kind === 'cancel') this.fly('hold', amount)
    if (kind === 'reversal' || kind === 'chargeback') this.fly('box', amount)
    if (kind === 'payout-pay') this.payAppended = true
  }

  /** Moves an operation if the machine has the step, and says whether it has. */
  advance(id: string, to: Word, at: number): boolean {
    const flight = this.operations.get(id)
    if (flight === undefined || !STEPS.has(`${flight.status}>${to}`)) return false
    flight.status = to
    if (to === 'approved') this.land(flight, at)
    if (FAILED.has(to)) this.comeBack(flight)
    return true
  }

  private fly(from: 'hold' | 'box', amount: bigint): void {
    if (from === 'hold') this.onHold -= amount
    else this.inBox -= amount
    if (from === 'hold') this.holdFlying += amount
    else this.boxFlying += amount
  }

  private land({ kind, amount }: Flight, at: number): void {
    if (kind === 'preauth') this.onHold += amount
    if (kind === 'preauth' || kind === 'payout-check') this.approvedAt = at
    if (kind === 'capture' || kind === 'cancel') this.holdFlying -= amount
    if (kind === 'reversal' || kind === 'chargeback') this.boxFlying -= amount
    if (kind === 'sale' || kind === 'capture') {
      this.captured += amount
      this.inBox += amount
      this.takenAt.push(at)
    }
    if (kind === 'cancel') this.cancelled += amount
    if (kind === 'reversal') this.returned += amount
    if (kind === 'chargeback') this.chargedBack += amount
    if (kind === 'payout-pay' || kind === 'payout' || kind === 'transfer') this.paidOut += amount
  }

  private comeBack({ kind, amount }: Flight): void {
    if (kind === 'capture' || kind === 'cancel') {
      this.holdFlying -= amount
      this.onHold += amount
    }
    if (kind === 'reversal' || kind === 'chargeback') {
      this.boxFlying -= amount
      this.inBox += amount
    }
  }
}
