import { simulator } from './acquirer/simulator.ts'
import { background } from './background.ts'
import { calledBack } from './callbacks/called-back.ts'
import { deliverer } from './callbacks/deliverer.ts'
import { beforeAttempt } from './callbacks/delivery-now.ts'
import { resendCallbacks } from './callbacks/resend-callbacks.ts'
import type { Chaos } from './chaos/chaos.ts'
import { chaosParts, noChaosParts } from './chaos/chaos-parts.ts'
import { checkGatewayOptions } from './check-options.ts'
import { type Clock, inWholeMilliseconds } from './clock.ts'
import { type Agenda, agenda } from './flow/agenda.ts'
import { type Chargeback, chargeBack } from './flow/chargeback.ts'
import { onceMore } from './flow/once-more.ts'
import { type FinalDecision, type RecordedOutcome, recordOutcome } from './flow/record-outcome.ts'
import { recover, takeUpLeft } from './flow/recover.ts'
import { runTask } from './flow/run-task.ts'
import type { Service } from './flow/service.ts'
import { frontDoor } from './front-door.ts'
import { type Answer, render } from './http/answer.ts'
import type { GatewayReply, GatewayRequest } from './http/exchange.ts'
import { replyFormat } from './http/read-request.ts'
import { listeners } from './listeners.ts'
import { readMerchants } from './merchants.ts'
import { type GatewayOptions, readAddresses } from './options.ts'
import { createPages } from './pages/pages.ts'
import { readSetting } from './read-setting.ts'
import { callbackSender } from './rims/callback-sender.ts'
import { randomFraction, randomIds, systemClock } from './rims/system.ts'
import { pooledRandomness } from './rims/vault-randomness.ts'
import { type SandboxAccess, sandboxAccess } from './sandbox/sandbox-access.ts'
import { memoryStore } from './store/memory-store.ts'
import type { Change } from './store/store.ts'
import { requireSameKeys } from './vault/key-checks.ts'
import { type RotationResult, rotateCards } from './vault/rotate-cards.ts'
import { createVault } from './vault/vault.ts'
import type { VaultError } from './vault/vault-error.ts'
import { newVaultKeys, readVaultKeys } from './vault/vault-keys.ts'

export interface Gateway<C extends Clock = Clock> {
  /** Answers one request. Never throws: a failure inside is a 500 that tells nothing of the inside. */
  handle(request: GatewayRequest): Promise<GatewayReply>
  readonly clock: C
  /** Sends all callbacks of an order again, also those that were acknowledged. Gives how many there are. */
  resendCallbacks(orderId: string): Promise<number>
  /**
   * The issuer takes back what was sold or captured, all that is left or this amount in major units. One that is refused because a
   * return has no outcome yet is to be told again when it has one. What is told again by the `caseId` of the issuer counts once.
   */
  chargeback(orderId: string, amount?: string, caseId?: string): Promise<Chargeback>
  /**
   * Writes what a person has found out at the acquirer about an operation that is still without an outcome, by its id, which is the
   * `reference` that the acquirer has: with postings and callback, as if the acquirer had answered.
   */
  recordOutcome(operationId: string, decision: FinalDecision): Promise<RecordedOutcome>
  /** Faults on demand, for tests: in a sandbox alone. */
  readonly chaos: Chaos
  /** What a test environment may see and do, beyond the interface. `undefined`: this is no sandbox. */
  readonly sandbox: SandboxAccess | undefined
  /**
   * Brings stored cards under the vault's current key. May be interrupted by `signal`, and begun again. Of each card that does not
   * open `onError` hears.
   */
  rotateCards(signal?: AbortSignal): Promise<RotationResult>
  /** Whether it is known what the last process left, and the store can be written to now. */
  isReady(): Promise<boolean>
  /** Resolves when everything that was acknowledged is decided, and every callback that is due was tried. */
  settled(): Promise<void>
  /** Finishes what goes on, and closes the store. What waits stays in it, if it outlives the process. */
  close(): Promise<void>
}

/**
 * Makes a gateway: the service side of the interface as a function from request to reply.
 *
 * @throws TypeError that names a wrong setting
 */
export function createGateway<C extends Clock = Clock>(options: GatewayOptions<C>): Gateway<C> {
  checkGatewayOptions(options)
  const { profile, basePath } = readAddresses(options)
  const { clock: given = systemClock as Clock as C, store = memoryStore(), sandbox = false } = options
  const clock = inWholeMilliseconds(given)
  // Where somebody else sends them is not for us to say.
  const merchants = readMerchants(options.merchants, { sandbox: sandbox || options.sendCallback !== undefined })
  const { onAnswer, onError } = listeners(options)
  const work = background(onError)
  const sender = callbackSender({ sandbox })
  const faulty = sandbox
    ? readSetting('chaos', () =>
        chaosParts({ options: options.chaos, fraction: randomFraction, store, clock, profile }),
      )
    : noChaosParts
  const commit = async (decided: Change) => {
    const change = await faulty.plan(decided)
    const committed = await store.commit(change, clock.now())
    if (committed.ok) {
      plan.note(change)
      faulty.note(change, service)
    }
    return committed
  }
  const deliveries = deliverer({
    commit,
    clock,
    now: (delivery) => beforeAttempt(delivery, service),
    send: faulty.send(options.sendCallback ?? sender.send),
    fraction: randomFraction,
    onSent: (delivery) => options.onCallback?.(calledBack(delivery)),
    onError,
  })
  const random = pooledRandomness()
  const keys = options.vaultKeys ?? readVaultKeys(newVaultKeys(random, 'of-this-process').reveal())
  const service: Service = {
    store,
    commit,
    acquirer: faulty.acquirer(options.acquirer ?? simulator({ random })),
    underWay: new Set(),
    vault: createVault({ keys, random }),
    requireKeys: () => requireSameKeys(keys, store),
    ids: options.ids ?? randomIds,
    fraction: randomFraction,
    clock,
    background: work,
    merchants,
    profile,
    repeatsAllowed: options.allowRepeats ?? false,
    onError,
    sandbox,
    faults: faulty.faults,
  }
  const plan: Agenda = agenda({ store, clock, background: work, deliverer: deliveries, runTask: runTask(service) })
  const recovery = recover(service, plan)
  // Other processes may make something due, or be gone before they have seen to it.
  const takeUp = onceMore(() => takeUpLeft(service))
  const stopLooking = store.sharing?.onWake(() => {
    plan.wake()
    work.run(takeUp)
  })
  const inward = { service, basePath, onAnswer, recovered: recovery.known }
  const door = frontDoor({ ...inward, options })
  const pages = createPages({ ...inward, maxConcurrentRequests: options.maxConcurrentRequests, random })
  const handle = (request: GatewayRequest) => pages.answer(request) ?? door(request)
  const renderAnew = (answer: Answer, request: GatewayRequest) =>
    render(answer, {
      serialNumber: service.ids.serialNumber(),
      format: replyFormat(request, options.replyFormat),
      numericIds: options.numericIds,
      profile,
    })
  return {
    handle: faulty.handle(handle, { basePath, render: renderAnew }),
    clock: given,
    resendCallbacks: (orderId) => resendCallbacks(orderId, service),
    chargeback: (orderId, amount, caseId) => chargeBack(orderId, { amount, caseId }, service),
    recordOutcome: (operationId, decision) => recordOutcome(operationId, decision, service),
    chaos: faulty.chaos,
    sandbox: sandbox
      ? sandboxAccess(
          service,
          options.merchants.map(({ login }) => login.trim()),
          deliveries,
        )
      : undefined,
    rotateCards: (signal) => {
      const onRefused = (_cardId: string, error: VaultError) => onError(error)
      return rotateCards({ store, vault: service.vault, onRefused, ...(signal === undefined ? {} : { signal }) })
    },
    isReady: () =>
      recovery
        .known()
        .then(() => store.isReady())
        .catch(() => false),
    settled: work.settled,
    close: async () => {
      await recovery.stop()
      stopLooking?.()
      plan.stop()
      await deliveries.close()
      await work.settled()
      await sender.close()
      await store.close()
    },
  }
}
