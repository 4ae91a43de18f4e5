import { hash } from 'node:crypto'
import { catalogue, type Operation, type OperationKey } from '@tallystick/core'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { FAULT_NAMES, FAULTS, type FaultAt, type FaultName, type FaultOptions, type FaultPlace } from './faults.ts'

/** Faults on demand, for tests. Only this process knows the faults requested here, and they end with it. */
export interface FaultControl {
  /** The seed that orders draw their faults by: the same seed replays a run. `undefined`: they draw none. */
  readonly seed: number | undefined
  /**
   * Gives the fault to the next request of this operation: to its reply, or else to the order that it names. A second call
   * is for the request after that.
   */
  next(operation: OperationKey, fault: FaultName): void
  /** Adds the fault to this order: to its next request that changes something, its next operation or its callbacks. */
  forOrder(clientOrderId: string, fault: FaultName): void
  /** From now on every order draws its fault by these options, also one that there is already. `undefined`: none draws one. */
  forAll(options: FaultOptions | undefined): void
  /**
   * Forgets which faults were requested and which happened, and draws by the options of the start again. An order that has a fault
   * by the seed, its amount or its card is struck again.
   */
  clear(): void
  list(): FaultList
}

/** The faults that were requested and have not happened yet, and those that happened. */
export interface FaultList {
  readonly seed: number | undefined
  /** What orders draw their faults by. `undefined`: they draw none. */
  readonly draw: Draw | undefined
  readonly next: ReadonlyArray<{ readonly operation: OperationKey; readonly fault: FaultName }>
  readonly orders: ReadonlyArray<{ readonly clientOrderId: string; readonly fault: FaultName }>
  /** The last thousand faults of replies and outcomes. */
  readonly struck: ReadonlyArray<{ readonly clientOrderId: string | undefined; readonly fault: FaultName }>
}

/** Called when a fault is requested, when it strikes, and when the requested ones are forgotten. */
export type FaultListener = (event: {
  readonly what: 'set' | 'struck' | 'cleared'
  readonly fault?: FaultName
  readonly operation?: OperationKey
  readonly clientOrderId?: string | undefined
  readonly probability?: number
}) => void

/** What the fault of a request depends on. */
interface FaultyRequest {
  readonly operation: OperationKey
  readonly clientOrderId: string | undefined
  readonly marks: MagicAmounts
}

/** A requested fault. It stays after it has struck: an order that was given a fault does not draw another. */
interface AskedFor {
  readonly clientOrderId: string
  readonly fault: FaultName
  hasStruck: boolean
}

/** How many struck replies and outcomes to remember, so that each fault strikes an order once. */
const MOST_STRUCK = 1000

const isReplyFault = actsAt('reply')
const isOutcomeFault = actsAt('outcome')

/**
 * Decides which faults an order has: those that were requested, and those that its amount or its card stands for. If it has
 * none of these, it draws one by the seed. Faults of replies and of outcomes strike an order once.
 */
export class FaultPlan implements FaultControl {
  readonly #atStart: Draw | undefined
  readonly #fraction: () => number
  #draw: Draw | undefined
  #next: { operation: OperationKey; fault: FaultName }[] = []
  #orders: AskedFor[] = []
  #struck: { clientOrderId: string | undefined; fault: FaultName }[] = []
  /** Requested outcome faults by operation. They stay: the acquirer never learned of the operation, so it cannot answer later. */
  readonly #outcomes = new Map<string, FaultAt<'outcome'>>()

  readonly #onFault: FaultListener

  /** @param fraction gives a number from 0 to 1, for a random seed */
  constructor(options: FaultOptions | undefined, fraction: () => number, onFault: FaultListener = () => {}) {
    this.#fraction = fraction
    this.#atStart = options && readDraw(options, fraction)
    this.#draw = this.#atStart
    this.#onFault = onFault
  }

  get seed(): number | undefined {
    return this.#draw?.seed
  }

  readonly next = (operation: OperationKey, fault: FaultName): void => {
    requireFault(fault)
    if (!Object.hasOwn(catalogue, operation)) throw new TypeError(`there is no operation ${operation}`)
    if (!isReplyFault(fault) && !namesOrder(operation)) {
      throw new TypeError(`${operation} names no order that could have ${fault}`)
    }
    this.#next.push({ operation, fault })
    this.#onFault({ what: 'set', fault, operation })
  }

  readonly forOrder = (clientOrderId: string, fault: FaultName): void => {
    requireFault(fault)
    if (typeof clientOrderId !== 'string' || clientOrderId === '') throw new TypeError('clientOrderId must be a text')
    this.#askFor(clientOrderId, fault)
    this.#onFault({ what: 'set', fault, clientOrderId })
  }

  readonly forAll = (options: FaultOptions | undefined): void => {
    this.#draw = options && readDraw(options, this.#fraction)
    this.#onFault({ what: 'set', probability: this.#draw?.probability ?? 0 })
  }

  readonly clear = (): void => {
    this.#draw = this.#atStart
    this.#next = []
    this.#orders = []
    this.#struck = []
    this.#onFault({ what: 'cleared' })
  }

  readonly list = (): FaultList => ({
    seed: this.seed,
    draw: this.#draw,
    next: [...this.#next],
    orders: this.#orders.flatMap(({ hasStruck, ...asked }) => (hasStruck ? [] : asked)),
    struck: [...this.#struck],
  })

  /** The faults of an order. The hosted pages ask for theirs: `of(order).has('three-ds-abandoned')`. */
  of(order: StoredOrder): ReadonlySet<FaultName> {
    return new Set([...this.#askedFor(order.clientOrderId), ...this.#inherent(order.clientOrderId, marksOf(order))])
  }

  /** The fault of the reply to a request. It has struck then. */
  strikeReply(request: FaultyRequest): FaultAt<'reply'> | undefined {
    const { operation, clientOrderId } = request
    const asked = this.#takeNext(operation)?.fault
    if (asked !== undefined && isReplyFault(asked)) return this.#strike(clientOrderId, asked)
    if (asked !== undefined && clientOrderId !== undefined) this.#askFor(clientOrderId, asked)
    const { effect }: Operation = catalogue[operation]
    if (effect === 'reads' || clientOrderId === undefined) return undefined
    const fault = this.#takeAskedFor(clientOrderId, isReplyFault) ?? this.#fresh(clientOrderId, request.marks)
    return fault && this.#strike(clientOrderId, fault)
  }

  /** The fault of an operation's outcome, when the acquirer is asked to carry it out. It has struck then. */
  strikeOutcome(order: StoredOrder, operationId: string): FaultAt<'outcome'> | undefined {
    const asked = this.#takeAskedFor(order.clientOrderId, isOutcomeFault)
    if (asked !== undefined) this.#outcomes.set(operationId, asked)
    const fault = this.outcomeOf(order, operationId)
    return fault && this.#strike(order.clientOrderId, fault)
  }

  /** The fault that an operation's outcome had. Any process can tell, unless it was requested in another one. */
  outcomeOf(order: StoredOrder, operationId: string): FaultAt<'outcome'> | undefined {
    const asked = this.#outcomes.get(operationId)
    if (asked !== undefined || openingOperation(order).id !== operationId) return asked
    return this.#inherent(order.clientOrderId, marksOf(order)).find(isOutcomeFault)
  }

  #askFor(clientOrderId: string, fault: FaultName): void {
    this.#orders.push({ clientOrderId, fault, hasStruck: false })
  }

  #askedFor(clientOrderId: string): readonly FaultName[] {
    return this.#orders.filter((each) => each.clientOrderId === clientOrderId).map(({ fault }) => fault)
  }

  /** The faults that nobody requested for the order: by its amount or card, or drawn. A requested fault replaces a draw. */
  #inherent(clientOrderId: string, marks: MagicAmounts): readonly FaultName[] {
    const marked = magicAmountFaults(marks)
    if (this.#draw === undefined || marked.length > 0 || this.#askedFor(clientOrderId).length > 0) return marked
    return [seededFault(clientOrderId, this.#draw) ?? []].flat()
  }

  #fresh(clientOrderId: string, marks: MagicAmounts): FaultAt<'reply'> | undefined {
    const fault = this.#inherent(clientOrderId, marks).find(isReplyFault)
    const isOld = this.#struck.some((each) => each.clientOrderId === clientOrderId && each.fault === fault)
    return isOld ? undefined : fault
  }

  #takeNext(operation: OperationKey) {
    const at = this.#next.findIndex((each) => each.operation === operation)
    return at < 0 ? undefined : this.#next.splice(at, 1)[0]
  }

  #takeAskedFor<Name extends FaultName>(
    clientOrderId: string,
    isMeant: (fault: FaultName) => fault is Name,
  ): Name | undefined {
    for (const asked of this.#orders) {
      if (asked.hasStruck || asked.clientOrderId !== clientOrderId || !isMeant(asked.fault)) continue
      asked.hasStruck = true
      return asked.fault
    }
    return undefined
  }

  #strike<Name extends FaultName>(clientOrderId: string | undefined, fault: Name): Name {
    this.#struck.push({ clientOrderId, fault })
    if (this.#struck.length > MOST_STRUCK) this.#struck.shift()
    this.#onFault({ what: 'struck', fault, clientOrderId })
    return fault
  }
}

function namesOrder(operation: OperationKey): boolean {
  return 'clientOrderId' in catalogue[operation].request.fields
}

type Draw = Required<{ readonly [Name in keyof FaultOptions]: NonNullable<FaultOptions[Name]> }>

/**
 * The fault of an order, or none. For given options it depends only on the client order id: not on which other orders there
 * are, nor on which came first.
 */
function seededFault(clientOrderId: string, { seed, only, probability }: Draw): FaultName | undefined {
  const digest = hash('sha256', JSON.stringify([seed, clientOrderId]), 'buffer')
  if (digest.readUInt32BE(0) / 2 ** 32 >= probability) return undefined
  return only[digest.readUInt32BE(4) % only.length]
}

/** @throws TypeError that names what is wrong */
function readDraw(options: FaultOptions, fraction: () => number): Draw {
  const { seed = Math.floor(fraction() * 2 ** 32), only = FAULT_NAMES, probability = 1 } = options
  if (!Number.isSafeInteger(seed) || seed < 0) throw new TypeError('seed must be a whole number from 0 on')
  if (!(probability >= 0 && probability <= 1)) throw new TypeError('probability must be a number from 0 to 1')
  if (!Array.isArray(only) || only.length === 0) throw new TypeError('only must be a list of at least one fault')
  for (const fault of only) requireFault(fault)
  return { seed, only, probability }
}

/** What may mark an order with a fault, as far as the gateway stores it. */
interface MagicAmounts {
  /** In minor units. */
  readonly amount: bigint | undefined
  readonly cards: readonly ShownCard[]
}

interface ShownCard {
  readonly bin?: string | undefined
  readonly lastFourDigits?: string | undefined
}

/** The faults that an amount or a test card stands for. */
function magicAmountFaults({ amount, cards }: MagicAmounts): readonly FaultName[] {
  return FAULT_NAMES.filter((name) => {
    const fault = FAULTS[name]
    return fault.amount === amount || cards.some((shown) => isCard(fault.card, shown))
  })
}

function marksOf(order: StoredOrder): MagicAmounts {
  const { card, destination } = order.details
  return { amount: openingOperation(order).amount, cards: [card ?? {}, destination ?? {}] }
}

function isCard(card: string, { bin, lastFourDigits }: ShownCard): boolean {
  return card.slice(0, 6) === bin && card.slice(-4) === lastFourDigits
}

function actsAt<Place extends FaultPlace>(place: Place): (name: FaultName) => name is FaultAt<Place> {
  return (name): name is FaultAt<Place> => FAULTS[name].acts === place
}

/** @throws TypeError that lists the faults */
function requireFault(name: unknown): asserts name is FaultName {
  if (FAULT_NAMES.some((each) => each === name)) return
  throw new TypeError(`there is no fault ${String(name)}; there are ${FAULT_NAMES.join(', ')}`)
}
