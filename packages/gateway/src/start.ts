import { isFinalStatus, type Profile } from '@tallystick/core'
import { simulator } from './acquirer/simulator.ts'
import { deliverer, deliveryReport } from './callbacks/deliverer.ts'
import { callbackLimits } from './callbacks/host-limiter.ts'
import { callbackSender } from './callbacks/sender.ts'
import type { Service } from './context.ts'
import type { DecisionEvent, Listeners } from './events.ts'
import { faultParts, noFaults } from './faults/fault-parts.ts'
import { callerAddresses } from './http/caller-address.ts'
import { readSetting } from './merchants/endpoint-settings.ts'
import { readMerchants } from './merchants/merchants.ts'
import type { GatewayOptions } from './options.ts'
import { operationOf } from './orders/operations.ts'
import { beforeAttempt } from './processing/deliveries.ts'
import { runTask, tasksPerMerchant } from './processing/run-task.ts'
import { recover, takeUpLeft } from './processing/status-inquiry.ts'
import { mostTries, tries } from './processing/tries.ts'
import { maskingOf, secretsOf } from './recording/masking.ts'
import { createRecording } from './recording/recording.ts'
import { recordingTaps } from './recording/taps.ts'
import { inWholeMilliseconds, isVirtual, watchedClock } from './runtime/clock.ts'
import { pooledRandomness, randomFraction, randomIds, realTime, seededFraction, systemClock } from './runtime/system.ts'
import { background, coalesce, endedWithin } from './runtime/tasks.ts'
import { createScheduler, type Scheduler } from './scheduler/scheduler.ts'
import { requireSameExponents } from './store/check-change.ts'
import { requireSameKeys } from './store/key-checks.ts'
import { memoryStore } from './store/memory/memory-store.ts'
import type { Change } from './store/store.ts'
import { newVaultKeys, readVaultKeys } from './vault/keys.ts'
import { createVault } from './vault/vault.ts'

/**
 * An acquirer or a shop that has not answered by then may never do so. What the acquirer was sent stays stored as sent: the next
 * process on the store looks it up, and sends the callback again. Service managers usually allow 30 seconds; this limit covers
 * both the acquirer and the shops.
 */
const CLOSE_WITHIN_MS = 20_000
const CLOCK_READ_EVERY_MS = 10_000

/** Shared by the gateways of a process: tests start many. */
const random = pooledRandomness()

/**
 * Assembles the service from the operator's options and starts it: it does what is due, and takes up what the last process
 * left.
 *
 * @throws TypeError that names a wrong setting
 */
export function startService(options: GatewayOptions, profile: Profile, heard: Listeners) {
  const { onCallback, onDecision, onRecord, onLimit, onError } = heard
  const { store = memoryStore(), sandbox = false, sendCallback } = options
  const plainClock = inWholeMilliseconds(options.clock ?? systemClock)
  const clock = watchedClock(plainClock, {
    // A virtual clock is advanced on purpose.
    uptime: isVirtual(options.clock) ? undefined : realTime.now,
    onJump: (error, believed, said) => {
      onError(error)
      plan.clockSet(believed, said)
    },
  })
  // If the operator sends the callbacks, the operator decides which addresses to allow.
  const merchants = readMerchants(options.merchants, { sandbox: sandbox || sendCallback !== undefined }, sandbox)
  const recording = options.recorder ?? (sandbox ? createRecording() : false)
  const controlKeys = controlKeysOf(options.merchants)
  const taps =
    recording === false ? undefined : recordingTaps({ recording, clock: plainClock, profile, merchants, controlKeys })
  const [masking, secrets] = [maskingOf(profile), secretsOf(controlKeys)]
  const stopHearing = taps && isVirtual(options.clock) ? options.clock.onAdvance?.(taps.clockMoved) : undefined
  // A run with a seed is the same each time, with its waits.
  const fraction = options.faults?.seed === undefined ? randomFraction : seededFraction(options.faults.seed)
  const work = background(onError)
  const sender = callbackSender({ sandbox })
  const parts = { options: options.faults, fraction, store, clock, profile, onFault: taps?.fault }
  const faults = sandbox ? readSetting('faults', () => faultParts(parts)) : noFaults
  const commit = async (decided: Change) => {
    const change = plan.claim(await faults.plan(decided))
    const committed = await store.commit(change, clock.now())
    if (committed.ok) {
      plan.note(change)
      taps?.committed(change)
      faults.note(change, service)
      for (const record of change.records ?? []) onRecord(record)
      for (const decided of decisionsIn(change)) onDecision(decided)
    }
    return committed
  }
  const deliveries = deliverer({
    commit,
    clock,
    // A test's results wait for no others: its run is the same each time.
    ...(isVirtual(options.clock) ? { pause: async () => {} } : {}),
    aheadMs: () => clock.now() - clock.trusted(),
    beforeAttempt: (delivery) => beforeAttempt(delivery, service),
    send: faults.send(sendCallback ?? sender.send),
    fraction,
    limits: callbackLimits(options),
    onLimit,
    onOutcome: (delivery, serialNumber) => {
      taps?.called(delivery)
      onCallback(deliveryReport(delivery, serialNumber))
    },
    onError,
  })
  const keys = options.vaultKeys ?? readVaultKeys(newVaultKeys(random, 'of-this-process').reveal())
  const acquirer = faults.acquirer(options.acquirer ?? simulator({ random }))
  const service: Service = {
    store,
    commit,
    acquirer: taps?.acquirer(acquirer) ?? acquirer,
    underWay: new Set(),
    vault: createVault({ keys, random, now: clock.now }),
    requireSameSettings: async () => {
      if (store.keyFingerprints === undefined) return
      await requireSameKeys(keys, store)
      await requireSameExponents(profile, store)
    },
    ids: options.ids ?? randomIds,
    random,
    fraction,
    clock,
    time: realTime,
    background: work,
    tries: tries({ clock, most: mostTries(options), onLimit }),
    callers: readSetting('trustedProxies', () =>
      callerAddresses({ trustedProxies: options.trustedProxies, isHttps: profile.baseUrl.startsWith('https:') }),
    ),
    merchants,
    profile,
    repeatsAllowed: options.allowRepeats ?? false,
    onError,
    sandbox,
    sandboxKey: {},
    faults: faults.faults,
  }
  const plan: Scheduler = createScheduler({
    store,
    clock,
    background: work,
    deliverer: deliveries,
    runTask: runTask(service, { most: tasksPerMerchant(options.merchants.length), onLimit }),
  })
  const recovery = recover(service, plan)
  // Another process may make something due, or end before it has done what was due.
  const takeUp = coalesce(() => takeUpLeft(service))
  const stopLooking = store.cluster?.onWake(() => {
    plan.wake()
    work.run(takeUp)
  })
  // The clock may have been set while no process ran, and may be while nothing happens.
  work.run(async () => plan.clockSet())
  const stopWatching = realTime.every(CLOCK_READ_EVERY_MS, () => void clock.now())
  return {
    service,
    faults,
    deliverer: deliveries,
    /** Calls shops as callbacks do, but without the faults and waits of those. */
    trials: { send: sendCallback ?? sender.send, onAnswer: taps?.called ?? (() => {}) },
    recovery,
    taps,
    masked: <Value>(value: Value) => masking.json(value, secrets),
    recording: recording === false ? undefined : recording,
    /** Finishes the work in progress, and closes the store. */
    close: async () => {
      stopWatching()
      stopHearing?.()
      await recovery.stop()
      stopLooking?.()
      plan.stop()
      await endedWithin(CLOSE_WITHIN_MS, deliveries.close().then(work.settled))
      await sender.close()
      await store.close()
    },
  }
}

function controlKeysOf(merchants: GatewayOptions['merchants']): readonly string[] {
  return merchants.map(({ controlKey }) => (typeof controlKey === 'string' ? controlKey : controlKey.reveal()))
}

/** What a change says became of operations. One that waits for a customer or the acquirer has no outcome yet. */
function decisionsIn({ order: changed, decided = [] }: Change): readonly DecisionEvent[] {
  if (changed === undefined) return []
  const { orderId, login, endpointId, clientOrderId } = changed.order
  return decided
    .map((id) => operationOf(changed.order, id))
    .filter(({ status }) => status === 'unknown' || isFinalStatus(status))
    .map(({ id, kind, status, serialNumber, outcome: { errorCode } }) => {
      return { orderId, operationId: id, kind, status, errorCode, login, endpointId, clientOrderId, serialNumber }
    })
}
