/**
 * One order by the words of the specification and the gaps. It uses nothing of core or the gateway, so that both can be
 * compared with it.
 */

export type Opening = 'sale' | 'preauth' | 'account-verification' | 'payout-check' | 'payout' | 'transfer'
export type Following = 'capture' | 'cancel' | 'reversal' | 'chargeback' | 'payout-pay'
export type Final = 'approved' | 'declined' | 'filtered' | 'error'

/**
 * `form` and `customer` wait for the customer, `sent` and `brought` for the bank. `unknown`: the bank does not know the outcome
 * itself.
 */
export type State = 'form' | 'sent' | 'customer' | 'brought' | 'unknown' | Final

export interface PaperOperation {
  readonly reference: string
  readonly serialNumber: string | undefined
  readonly kind: Opening | Following
  readonly amount: bigint
  state: State
  /** When it reached its state. */
  since: number
  awaits?: string | undefined
  /** The 3DS steps whose results the bank has been given. */
  readonly steps: string[]
}

/** How long things last at the order's endpoint. */
export interface Times {
  readonly settleAfter: number
  readonly holdFor: number
  readonly payoutCheckFor: number
  readonly formLifetime: number
}

export interface Addresses {
  readonly server: string | undefined
  readonly notify: string | undefined
  /** The endpoint as it is configured now. `undefined`: it is not configured any more. */
  readonly endpoint: () => { readonly notifyUrl: string | undefined } | undefined
}

/** What a callback says. One that says `unknown` is replaced by that of the outcome (gaps part 14). */
type ReportedStatus = Final | 'unknown'

/** A callback that the shop must get. */
export interface PaperCallback {
  readonly to: string
  readonly orderId: string
  readonly status: ReportedStatus
  readonly type: string
  readonly amount: string | undefined
}

/** A callback that the operator can send again. */
interface Notice extends Omit<PaperCallback, 'to'> {
  readonly kind: PaperOperation['kind']
  /** Where it was last addressed to. */
  to: string
}

export interface PaperOrderTerms {
  readonly login: string
  readonly endpointId: string
  readonly clientOrderId: string
  readonly orderId: string
  readonly currency: string | undefined
  readonly addresses: Addresses
  readonly times: Times
  /** The number of the card that pays. `undefined`: none does, or the form has not asked for it yet. */
  pays: string | undefined
  /** The number of the card that receives. */
  readonly receives: string | undefined
  readonly page: string | undefined
  readonly threeDs: 'redirect' | 'server'
}

/** Gaps part 5: transaction types. */
const TYPES: Readonly<Record<Opening | Following, string>> = {
  sale: 'sale',
  preauth: 'preauth',
  'account-verification': 'account verification',
  'payout-check': 'payout',
  'payout-pay': 'payout',
  payout: 'payout',
  transfer: 'transfer',
  capture: 'capture',
  cancel: 'cancel',
  reversal: 'reversal',
  chargeback: 'chargeback',
}

const FINALS: readonly string[] = ['approved', 'declined', 'filtered', 'error']
export const isFinal = (state: string): state is Final => FINALS.includes(state)

/** After this time without an answer the gateway asks the acquirer what became of the operation. */
const SILENT_FOR = 900_000

export type PaperOrder = ReturnType<typeof paperOrder>

export function paperOrder(terms: PaperOrderTerms, first: PaperOperation) {
  const operations = [first]
  /** By the reference of the operation. */
  const notices = new Map<string, Notice>()
  const callbacks: PaperCallback[] = []
  let isExpired = false
  let wasSentAgain = false
  const last = () => operations.at(-1) ?? first
  const sum = (kind: string, ...states: State[]) =>
    operations
      .filter((operation) => operation.kind === kind && states.includes(operation.state))
      .reduce((total, { amount }) => total + amount, 0n)
  const inFlight = (...kinds: string[]) =>
    kinds.reduce((total, kind) => total + sum(kind, 'sent', 'brought', 'unknown'), 0n)
  /** An order that moves no money shows no amount. */
  const shownAmount = (amount: bigint) => (terms.currency === undefined ? undefined : major(amount))
  const isApproved = () => first.state === 'approved'
  const captured = () => sum('sale', 'approved') + sum('capture', 'approved')
  const held = () => sum('preauth', 'approved') - sum('capture', 'approved') - sum('cancel', 'approved')
  const kept = () => captured() - sum('reversal', 'approved') - sum('chargeback', 'approved')
  const paidOut = () => sum('payout', 'approved') + sum('payout-pay', 'approved') + sum('transfer', 'approved')
  const holdEndsAt = () => first.since + terms.times.holdFor
  const checkEndsAt = () => first.since + terms.times.payoutCheckFor

  function move(operation: PaperOperation, state: State, at: number): void {
    operation.state = state
    operation.since = at
    operation.awaits = undefined
    const isFirstStep = operation.kind === 'payout-check' && (state === 'approved' || state === 'unknown')
    if ((isFinal(state) || state === 'unknown') && !isFirstStep) notify(operation, state)
  }

  /** Gaps part 6: `server_callback_url` is called for the original transaction alone, `notify_url` for later ones as well. */
  function addressFor(kind: PaperOperation['kind']): string | undefined {
    const { server, notify, endpoint } = terms.addresses
    const isOriginal = kind === first.kind || kind === 'payout-pay'
    return (isOriginal ? server : undefined) ?? notify ?? endpoint()?.notifyUrl
  }

  function notify({ kind, amount, reference }: PaperOperation, status: ReportedStatus): void {
    const to = addressFor(kind)
    if (to === undefined) return
    const notice = { to, orderId: terms.orderId, status, type: TYPES[kind], amount: shownAmount(amount), kind }
    notices.set(reference, notice)
    callbacks.push({ ...notice })
  }

  /** Whether it still has an address. If its endpoint is not configured any more, it goes where it went before. */
  function isWanted({ kind }: Notice): boolean {
    return addressFor(kind) !== undefined || terms.addresses.endpoint() === undefined
  }

  /** Moves what has run out of time by now. */
  function tick(at: number): void {
    for (const operation of operations) {
      const { state, since } = operation
      const lifetime = since + terms.times.formLifetime
      if (state === 'form' && at >= lifetime) move(operation, 'error', lifetime)
      if (state === 'customer' && at >= lifetime) move(operation, 'declined', lifetime)
      if (state === 'sent' && at >= since + SILENT_FOR) move(operation, 'unknown', since + SILENT_FOR)
    }
    if (first.kind === 'payout-check' && isApproved() && operations.length === 1 && !isExpired && at >= checkEndsAt()) {
      isExpired = true
      notify(first, 'declined')
    }
  }

  /** Takes what the bank says of an operation. */
  function told(operation: PaperOperation, status: string, step: string | undefined, at: number): void {
    const { state } = operation
    if (isFinal(state) || state === 'form') return
    const asksAgain = step !== undefined && operation.steps.includes(step)
    if (status === 'nothing') move(operation, 'error', at)
    else if (isFinal(status)) move(operation, status, at)
    else if (state === 'customer' || state === 'unknown') return
    else if (status === 'unknown' || asksAgain) move(operation, 'unknown', at)
    else {
      if (state === 'sent') operation.since = at
      operation.state = 'customer'
      operation.awaits = step
    }
  }

  /** The operation that an action makes, or why it is refused, for the reader of a failed history. */
  type Verdict = { readonly kind: Following; readonly amount: bigint } | string

  function drawn(kind: Following, left: bigint, asked: bigint | undefined): Verdict {
    const amount = asked ?? left
    if (amount <= 0n) return 'nothing is left, or nothing is asked for'
    return amount > left ? 'more than is left' : { kind, amount }
  }

  function onHold(kind: Following, asked: bigint | undefined, at: number): Verdict {
    if (inFlight('capture', 'cancel') > 0n) return 'another is in flight'
    if (at >= holdEndsAt()) return 'the hold is over'
    return drawn(kind, held(), asked)
  }

  const isSettled = (at: number) =>
    operations.some(
      ({ kind, state, since }) =>
        (kind === 'sale' || kind === 'capture') && state === 'approved' && at >= since + terms.times.settleAfter,
    )

  const DECIDE = {
    capture: (asked: bigint | undefined, at: number): Verdict => {
      if (first.kind !== 'preauth' || !isApproved()) return 'no approved preauth'
      return onHold('capture', asked, at)
    },
    void: (asked: bigint | undefined, at: number): Verdict => {
      if ((first.kind !== 'preauth' && first.kind !== 'sale') || !isApproved()) return 'nothing to void'
      const isTaken = first.kind === 'sale' || captured() === first.amount
      const whole = isTaken ? kept() : held()
      if (asked !== undefined && asked !== whole) return 'a void is whole'
      if (!isTaken) return onHold('cancel', undefined, at)
      if (inFlight('reversal') > 0n) return 'another is in flight'
      if (kept() !== captured()) return 'a part was given back'
      return isSettled(at) ? 'it is settled' : drawn('reversal', kept(), undefined)
    },
    return: (asked: bigint | undefined, at: number): Verdict => {
      if ((first.kind !== 'preauth' && first.kind !== 'sale') || !isApproved()) return 'nothing to return'
      if (captured() === 0n) {
        return asked !== undefined && asked !== held() ? 'a cancel is whole' : onHold('cancel', undefined, at)
      }
      return inFlight('reversal') > 0n ? 'another is in flight' : drawn('reversal', kept(), asked)
    },
    pay: (asked: bigint | undefined, at: number): Verdict => {
      if (first.kind !== 'payout-check' || !isApproved()) return 'no check that succeeded'
      if (operations.length > 1) return 'it was paid before'
      if (isExpired || at >= checkEndsAt()) return 'the check is over'
      return asked !== undefined && asked !== first.amount
        ? 'a payout is whole'
        : { kind: 'payout-pay', amount: first.amount }
    },
    chargeback: (asked: bigint | undefined): Verdict => drawn('chargeback', kept() - inFlight('reversal'), asked),
    release: (_: bigint | undefined, at: number): Verdict => {
      if (first.kind !== 'preauth' || !isApproved() || at < holdEndsAt()) return 'no hold that is over'
      return inFlight('capture', 'cancel') > 0n ? 'another is in flight' : drawn('cancel', held(), undefined)
    },
  }
  type Action = keyof typeof DECIDE

  return {
    ...terms,
    /** How often its form was sent with details that were refused. */
    tries: 0,
    first,
    operations,
    callbacks,
    last,
    tick,
    told,
    held,
    captured,
    kept,
    isApproved,
    decide: (action: Action, asked: bigint | undefined, currency: string | undefined, at: number): Verdict => {
      tick(at)
      if (currency !== undefined && currency !== terms.currency) return 'another currency'
      return DECIDE[action](asked, at)
    },
    append: ({ kind, amount }: { kind: Following; amount: bigint }, serialNumber: string | undefined, at: number) => {
      const reference = `${terms.orderId}-${operations.length + 1}`
      const operation: PaperOperation = { reference, serialNumber, kind, amount, state: 'sent', since: at, steps: [] }
      operations.push(operation)
      return operation
    },
    move,
    /** What each party has gained in the end. The merchant's deposit pays a transfer without a paying card. */
    balances: () => {
      const payer = first.kind === 'transfer' && terms.pays !== undefined ? -paidOut() : -kept() - held()
      const receiver = paidOut()
      return { payer, receiver, merchant: -payer - receiver - held() }
    },
    hasNotices: () => notices.size > 0,
    /** Whether its callbacks were sent again. They then come all at once, in any order. */
    wasSentAgain: () => wasSentAgain,
    /** Returns how many callbacks are sent again. */
    sendAgain: () => {
      wasSentAgain = true
      const again = [...notices.values()].filter(isWanted)
      for (const notice of again) {
        notice.to = addressFor(notice.kind) ?? notice.to
        callbacks.push({ ...notice })
      }
      return again.length
    },
    /** A card can be stored once the first payment is approved, and that of a checked payout once it is paid. */
    mayStoreCard: () =>
      first.kind === 'payout-check'
        ? operations.some(({ kind, state }) => kind === 'payout-pay' && state === 'approved')
        : isApproved(),
    /** What the status of the order, or of one of its operations, shows (gaps part 13). */
    shown: (of: PaperOperation = last()) => {
      const isUnpaid = of.kind === 'payout-check' && of.state === 'approved'
      const status = isUnpaid ? (isExpired && of === last() ? 'declined' : 'processing') : of.state
      return {
        status: isFinal(status) || status === 'unknown' ? status : 'processing',
        'transaction-type': TYPES[of.kind],
        amount: shownAmount(held() + kept() + paidOut()),
        'initial-amount': shownAmount(first.amount),
        currency: terms.currency,
      }
    },
  }
}

/** In major units, with two decimals. */
export function major(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}
