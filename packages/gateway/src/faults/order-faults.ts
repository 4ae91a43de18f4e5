import type { Acquirer, Decision, OperationRequest } from '../acquirer/acquirer.ts'
import { challengeStep, methodStep } from '../acquirer/simulator.ts'
import type { Service } from '../context.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import { chargeBack } from '../processing/record-outcome.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Delivery } from '../store/delivery.ts'
import type { Change } from '../store/store.ts'
import type { FaultPlan } from './fault-plan.ts'
import type { FaultAt, FaultName } from './faults.ts'

/**
 * An acquirer for orders whose customer never comes back from 3DS: an issuer that would be content with the method frame asks
 * for a challenge too, since that is where the customer stays. Only for the simulator, whose next step is known.
 */
export function withAbandonedChallenges(
  acquirer: Acquirer,
  faultsOf: (orderId: string) => Promise<ReadonlySet<FaultName>>,
): Acquirer {
  if (acquirer.isSimulated !== true) return acquirer
  return {
    isSimulated: true,
    tokenize: (paymentMethod) => acquirer.tokenize(paymentMethod),
    execute: (request) => acquirer.execute(request),
    lookup: (request) => acquirer.lookup(request),
    authenticate: async (request, result) => {
      const decision = await acquirer.authenticate(request, result)
      const { orderId, browser } = request
      if (result.step !== 'method' || decision.status !== 'approved' || browser === undefined) return decision
      if (!(await faultsOf(orderId)).has('three-ds-abandoned')) return decision
      return { status: 'processing', awaits: challengeStep(request, browser) }
    },
  }
}

/** Longer than an attempt takes. A shop that does not answer must not hold a customer up for good. */
const LONGEST_WAIT_MS = 20_000

/** For how many orders to remember that a callback was sent. */
const MOST_ORDERS = 1000

/** Lets a page wait for the callback of its order. */
export class CallbackBeforeReturn {
  readonly #desk: FaultPlan
  readonly #clock: Clock
  readonly #deliveriesOf: (orderId: string) => Promise<readonly Delivery[]>
  readonly #sent = new Map<string, PromiseWithResolvers<void>>()

  constructor(desk: FaultPlan, clock: Clock, deliveriesOf: (orderId: string) => Promise<readonly Delivery[]>) {
    this.#desk = desk
    this.#clock = clock
    this.#deliveriesOf = deliveriesOf
  }

  /** To be called when a callback of the order was sent, whether it was answered or not. */
  sent(orderId: string): void {
    this.#of(orderId).resolve()
  }

  /** Resolves at once. With the fault, resolves when the first callback of the order was sent, or after 20 seconds. */
  async wait(order: StoredOrder): Promise<void> {
    const { orderId } = order
    if (!this.#desk.of(order).has('callback-before-return')) return
    const deliveries = await this.#deliveriesOf(orderId)
    if (!deliveries.some(({ state, made }) => state === 'open' && made === 0)) return
    const late = Promise.withResolvers<void>()
    const cancel = this.#clock.schedule(LONGEST_WAIT_MS, late.resolve)
    await Promise.race([this.#of(orderId).promise, late.promise])
    cancel()
  }

  #of(orderId: string): PromiseWithResolvers<void> {
    const known = this.#sent.get(orderId)
    if (known !== undefined) return known
    const added = Promise.withResolvers<void>()
    this.#sent.set(orderId, added)
    const [oldest] = this.#sent.keys()
    if (this.#sent.size > MOST_ORDERS && oldest !== undefined) this.#sent.delete(oldest)
    return added
  }
}

const AFTER_MS = 60_000

/** On whose word the money is taken back. */
const FAULT = { who: 'a fault on demand', why: 'chargeback-after-return' }

/**
 * Has the issuer charge back what is left once a part of an order was refunded. If nothing is left, the rules refuse it.
 * A clock that is being advanced waits for the callback too. Otherwise the callback would be due again while it is under way.
 */
export function chargebackAfterReturn(change: Change, desk: FaultPlan, service: Service): void {
  const { order, postings = [] } = change
  if (order === undefined || !desk.of(order.order).has('chargeback-after-return')) return
  const { orderId, operations } = order.order
  const moved = new Set(postings.map(({ operationId }) => operationId))
  if (!operations.some(({ id, kind }) => kind === 'reversal' && moved.has(id))) return
  const { clock, background } = service
  clock.schedule(AFTER_MS, async () => {
    await background.runToEnd(async () => void (await chargeBack(orderId, {}, FAULT, service)))
    await background.settled()
  })
}

/** What the acquirer says when it is asked again about an operation whose outcome it did not know. */
const LATER: { readonly [Name in FaultAt<'outcome'>]: (orderId: string) => Decision } = {
  'unknown-then-approved': (orderId) => ({
    status: 'approved',
    approvalCode: orderId.slice(-6),
    processorTxId: `LATE-${orderId}`,
  }),
  'unknown-then-declined': () => ({ status: 'declined', errorCode: '100', errorMessage: 'Do not honour' }),
}

type FindOrder = (orderId: string) => Promise<StoredOrder | undefined>

interface Orders {
  /** The order as this process last wrote it. */
  readonly asWritten: FindOrder
  readonly orderById: FindOrder
}

/**
 * An acquirer that does not know the outcome of operations with such a fault. The acquirer behind it is not asked to carry
 * these out: the fault decides.
 */
export function withOutcomeFaults(acquirer: Acquirer, desk: FaultPlan, { asWritten, orderById }: Orders): Acquirer {
  return {
    isSimulated: acquirer.isSimulated,
    tokenize: (paymentMethod) => acquirer.tokenize(paymentMethod),
    authenticate: (request, result) => acquirer.authenticate(request, result),
    execute: async (request) => {
      const order = await asWritten(request.orderId)
      const fault = order && desk.strikeOutcome(order, request.reference)
      return fault === undefined ? await acquirer.execute(request) : { status: 'unknown' }
    },
    lookup: async (request) => {
      const order = await orderById(request.orderId)
      const fault = order && desk.outcomeOf(order, request.reference)
      return fault === undefined ? await acquirer.lookup(request) : LATER[fault](request.orderId)
    },
  }
}

/**
 * An acquirer for orders whose method frame never answers. An issuer that has no method frame gets one, before whatever else
 * it asks for. Orders without authentication stay so. Only for the simulator, whose next step is known.
 */
export function withMethodFrames(
  acquirer: Acquirer,
  desk: FaultPlan,
  orderById: (orderId: string) => Promise<StoredOrder | undefined>,
): Acquirer {
  if (acquirer.isSimulated !== true) return acquirer

  async function framed<Decided extends Decision | undefined>(request: OperationRequest, decision: Decided) {
    const { orderId, browser } = request
    if (decision?.status !== 'processing' || browser === undefined) return decision
    const order = await orderById(orderId)
    const isFramed = order !== undefined && isAtItsBeginning(order) && desk.of(order).has('method-time-out')
    return isFramed ? { ...decision, awaits: methodStep(request, browser) } : decision
  }

  return {
    isSimulated: true,
    tokenize: (paymentMethod) => acquirer.tokenize(paymentMethod),
    execute: async (request) => await framed(request, await acquirer.execute(request)),
    lookup: async (request) => await framed(request, await acquirer.lookup(request)),
    authenticate: async (request, result) => {
      const asked = result.step === 'method' ? await acquirer.lookup(request) : undefined
      const isNext = asked?.status === 'processing' && asked.awaits.step !== 'method'
      return isNext ? asked : await acquirer.authenticate(request, result)
    },
  }
}

/** Whether the browser has not submitted the result of any step yet: the customer must not be led back to the frame. */
function isAtItsBeginning(order: StoredOrder): boolean {
  const { methodCompletion, submitted } = openingOperation(order).outcome
  return methodCompletion === undefined && submitted === undefined
}
