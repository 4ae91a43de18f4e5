import type { GatewayReply, GatewayRequest, ReplyFormat } from '@tallystick/core/internal'
import { requireRecentNode } from '@tallystick/durable/recent-node'
import type { Service } from './context.ts'
import { type Listeners, listeners } from './events.ts'
import type { FaultControl } from './faults/fault-plan.ts'
import { requestHandler } from './handler.ts'
import { entrance, requestLimits } from './http/concurrency-limit.ts'
import { type Answer, render, serverError } from './http/reply.ts'
import { type Handle, replyFormat, type TracedRequest } from './http/request.ts'
import { type Inspection, inspectionOf } from './inspection/inspection.ts'
import { type SandboxAccess, sandboxAccess } from './inspection/sandbox-access.ts'
import { type RotationResult, rotateCards } from './key-rotation/rotate-cards.ts'
import { checkGatewayOptions, type GatewayOptions, readAddresses } from './options.ts'
import { submitForm } from './pages/form/submit-form.ts'
import type { PageRoute } from './pages/page-route.ts'
import { pages } from './pages/router.ts'
import { showOrder } from './pages/show-order.ts'
import { takeCRes, takeMethodResult, takePaRes } from './pages/three-ds.ts'
import { resendCallbacks } from './processing/deliveries.ts'
import {
  type Chargeback,
  chargeBack,
  type FinalDecision,
  type RecordedOutcome,
  recordOutcome,
} from './processing/record-outcome.ts'
import type { Recording } from './recording/recording.ts'
import type { Clock } from './runtime/clock.ts'
import { systemClock } from './runtime/system.ts'
import { acsRoutes } from './simulated-acs/pages.ts'
import { startService } from './start.ts'
import {
  type Operator,
  type OperatorRecord,
  operatorRecord,
  type RecordFilter,
  requireOperator,
} from './store/operator-record.ts'
import type { VaultError } from './vault/vault.ts'

/** A running gateway. It listens nowhere: `listen` or an adapter passes requests to `handle`. */
export interface Gateway<C extends Clock = Clock> {
  /** Answers one request. Never throws: a failure inside is a 500 that reveals nothing about the inside. */
  handle(request: GatewayRequest): Promise<GatewayReply>
  readonly clock: C
  /**
   * Sends all callbacks of an order again, even those that were acknowledged, or by the id of an operation the one that reports it.
   * Returns how many there are.
   */
  resendCallbacks(id: string, by?: Operator): Promise<number>
  /**
   * Records that the issuer charged back what was sold or captured: all that is left, or this amount in major units. If it is
   * refused because a return has no outcome yet, record it again when the return has one. Calls with the same `caseId`, the
   * issuer's id of the case, count once.
   */
  chargeback(orderId: string, amount?: string, caseId?: string, by?: Operator): Promise<Chargeback>
  /**
   * Records the outcome of an operation that still has none, as an operator learned it from the acquirer: with postings and
   * callback, as if the acquirer had answered. The operation's id is the `reference` that the acquirer has. Who says so and
   * why is recorded with it.
   */
  recordOutcome(operationId: string, decision: FinalDecision, by: Operator): Promise<RecordedOutcome>
  /** What persons had the gateway do: outcomes, chargebacks and resent callbacks. The latest first. */
  operatorRecords(filter: RecordFilter): Promise<readonly OperatorRecord[]>
  /** What is stored, for operators: orders, one order with its history, and callbacks that were given up. */
  readonly inspect: Inspection
  /** Faults on demand, for tests. Only in a sandbox. */
  readonly faults: FaultControl
  /** What a test environment may see and do beyond the interface. `undefined`: this is not a sandbox. */
  readonly sandbox: SandboxAccess | undefined
  /** What the gateway saw and did, and what the merchant's half reports. `undefined`: nothing is recorded. */
  readonly recording: Recording | undefined
  /**
   * Encrypts stored cards under the vault's current key. `signal` interrupts it; it can be started again.
   * `onError` is called for each card that cannot be opened. Unless all were under it already, that is recorded as an operator's act.
   */
  rotateCards(signal?: AbortSignal, by?: Operator): Promise<RotationResult>
  /** Whether it is known what the last process left, and the store can be written to now. */
  isReady(): Promise<boolean>
  /**
   * Resolves when everything that was acknowledged is decided, and every callback that is due was tried. If several processes share
   * the store, it waits for the work of this one: what another has claimed may go on.
   */
  settled(): Promise<void>
  /**
   * Finishes what is running, and closes the store. Work for later stays in the store, if that outlives the process. So do
   * operations that the acquirer does not answer within 20 more seconds: they are looked up at the next start.
   */
  close(): Promise<void>
}

/** Whoever calls a method without saying for whom. */
const PROGRAM: Operator = { who: 'program', why: '' }

/**
 * Makes a gateway: the service side of the interface as a function from request to reply.
 *
 * @throws TypeError that names a wrong setting, Error if this Node is too old
 */
export function createGateway<C extends Clock = Clock>(options: GatewayOptions<C>): Gateway<C> {
  requireRecentNode('createGateway')
  checkGatewayOptions(options)
  const { profile, basePath } = readAddresses(options)
  const { clock = systemClock as Clock as C } = options
  const heard = listeners(options)
  const started = startService(options, profile, heard)
  const { service, faults, recovery, close } = started
  const { store, background } = service
  const merchants = options.merchants.map(({ login, endpoints }) => {
    return { login: login.trim(), endpoints: endpoints.map(({ id }) => String(id)) }
  })
  return {
    handle: handler(started, { basePath, options, heard }),
    clock,
    resendCallbacks: (id, by = PROGRAM) => resendCallbacks(id, by, service),
    chargeback: (orderId, amount, caseId, by = PROGRAM) => chargeBack(orderId, { amount, caseId }, by, service),
    recordOutcome: (operationId, decision, by) => recordOutcome(operationId, decision, by, service),
    operatorRecords: (filter) => store.operatorRecords(filter),
    inspect: inspectionOf(service),
    faults: faults.control,
    sandbox: service.sandbox ? sandboxAccess(service, merchants, started) : undefined,
    recording: started.recording,
    rotateCards: (signal, by = PROGRAM) => rotateAndRecord(signal, by, service),
    isReady: () =>
      recovery
        .known()
        .then(() => store.isReady())
        .catch(() => false),
    settled: async () => {
      // What the last process left is acknowledged too. A store that fails is told, and asked again.
      await recovery.known().catch(() => {})
      await background.settled()
    },
    close,
  }
}

async function rotateAndRecord(
  signal: AbortSignal | undefined,
  by: Operator,
  { store, vault, clock, commit, onError }: Service,
): Promise<RotationResult> {
  requireOperator('by', by)
  let rewrapped = 0
  let refused = 0
  const counting: typeof store.rewrapCard = async (card, from) => {
    const isRewrapped = await store.rewrapCard(card, from)
    if (isRewrapped) rewrapped++
    return isRewrapped
  }
  const onRefused = (_cardId: string, error: VaultError) => {
    refused++
    onError(error)
  }
  try {
    return await rotateCards({
      store: { ...store, rewrapCard: counting },
      vault,
      onRefused,
      signal,
    })
  } finally {
    const deed = { at: clock.now(), act: 'rotate-keys', subject: vault.currentKeyId, orderId: undefined } as const
    const after = `${rewrapped} cards brought under it, ${refused} that do not open`
    const record = operatorRecord({ ...deed, before: 'cards under other keys', after }, by)
    if (rewrapped + refused > 0) await commit({ records: [record] })
  }
}

interface Front {
  readonly basePath: string
  readonly options: GatewayOptions
  readonly heard: Listeners
}

/** Pages for browsers, the interface for merchants, and in a sandbox the faults of replies before both. */
function handler(
  { service, faults, recovery, taps }: ReturnType<typeof startService>,
  { basePath, options, heard }: Front,
): Handle {
  const { numericIds } = options
  const { ids, profile } = service
  const enter = entrance(requestLimits(options), heard)
  const inward = { service, basePath, enter, onAnswer: heard.onAnswer, recovered: recovery.known }
  const page = pages({ ...inward, routes: pageRoutes })
  const door = requestHandler({ ...inward, options })
  const handle = (request: TracedRequest) => page(request) ?? door(request)
  const written = (answer: Answer, serialNumber: string, format: ReplyFormat | undefined) =>
    render(answer, { serialNumber, format, numericIds, profile })
  const answered = faults.handle(handle, {
    basePath,
    render: (answer: Answer, request: GatewayRequest) =>
      written(answer, ids.serialNumber(), replyFormat(request, options.replyFormat)),
  })
  // Pages and faults read a request before the front door does, and fail if a server has not formed it properly.
  const guarded = async (request: TracedRequest) => {
    try {
      const peer = service.callers.of(request)
      return await answered(peer === request.peer ? request : { ...request, peer })
    } catch (error) {
      const serialNumber = ids.serialNumber()
      service.onError(error, serialNumber)
      return written(serverError(), serialNumber, options.replyFormat)
    }
  }
  return taps === undefined ? guarded : (request) => taps.request(request, guarded)
}

/** Every page of the gateway. */
const pageRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/form/{token}', handle: showOrder },
  { method: 'POST', path: '/form/{token}', handle: submitForm },
  { method: 'GET', path: '/3ds/redirect/{token}', handle: showOrder },
  // A restored tab opens these by GET, and brings no result.
  { method: 'GET', path: '/3ds/method/{token}', handle: showOrder },
  { method: 'POST', path: '/3ds/method/{token}', handle: takeMethodResult },
  { method: 'GET', path: '/3ds/challenge/{token}', handle: showOrder },
  { method: 'POST', path: '/3ds/challenge/{token}', handle: takeCRes },
  { method: 'GET', path: '/3ds/pares/{token}', handle: showOrder },
  { method: 'POST', path: '/3ds/pares/{token}', handle: takePaRes },
  ...acsRoutes,
]
