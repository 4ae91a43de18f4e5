import type { Service } from '../context.ts'
import { mapLimit } from '../runtime/tasks.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import type { AbandonedOperation, Cluster } from '../store/store.ts'
import { lookUpSent, type SentOperation, sentOperations } from './status-inquiry.ts'

/** More than can ever be under way at once. */
const MOST_SENT = 1_000_000
/** Look-ups at a time: the acquirer also has to answer the customers who are paying now. */
const AT_ONCE = 64
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/** Finds out what the last process left behind. */
export interface Recovery {
  /** Resolves once that is known. Rejects while the store fails, which is then asked again. */
  known(): Promise<void>
  /** Stops asking. Resolves when nothing is running any more. */
  stop(): Promise<void>
}

/**
 * Takes over what the last process left in the store: looks up the operations that it had sent, and runs what is due. Nothing
 * new is sent before these operations are known. If the store fails it is asked again, less and less often.
 */
export function recover(service: Service, agenda: Scheduler): Recovery {
  let cancel = () => {}
  let isStopped = false
  let areReleased = false
  let known = attempt(FIRST_WAIT_MS)

  function attempt(waitMs: number): Promise<void> {
    const attempted = service
      .requireSameSettings()
      .then(release)
      .then(() => takeUpLeft(service))
      .then(agenda.wake)
    // Every request is answered with the failure. If none comes, nobody would learn of it otherwise.
    attempted.catch((error) => {
      service.onError(error)
      if (!isStopped) cancel = service.clock.schedule(waitMs, () => again(waitMs))
    })
    return attempted
  }

  /** Once: later claims are of this process. */
  async function release(): Promise<void> {
    if (!areReleased) await service.store.releaseClaims?.(service.clock.now())
    areReleased = true
  }

  async function again(waitMs: number): Promise<void> {
    known = attempt(Math.min(2 * waitMs, LONGEST_WAIT_MS))
    await known.catch(() => {})
  }

  return {
    known: () => known,
    stop: async () => {
      isStopped = true
      cancel()
      await known.catch(() => {})
    },
  }
}

/**
 * Looks up what processes that are gone had sent, and sends none of it again. If several processes share the store, one that is
 * alive may be waiting for the acquirer right now, so only the operations that the store hands to this process are looked up.
 * Resolves when these are known.
 */
export async function takeUpLeft(service: Service): Promise<void> {
  const { sharing } = service.store
  if (sharing === undefined) lookUpEach(await leftByAll(service), lookUpSent, service)
  else lookUpEach(await leftByGone(sharing, service), lookUpLeft, service)
}

function lookUpEach<Left>(
  left: readonly Left[],
  lookUp: (left: Left, service: Service) => Promise<void>,
  service: Service,
): void {
  const { background } = service
  background.run(() => mapLimit(AT_ONCE, left, (each) => background.runToEnd(() => lookUp(each, service))))
}

/** For a store that is not shared: the process that sent them was its only one. */
async function leftByAll(service: Service): Promise<readonly SentOperation[]> {
  const left: SentOperation[] = []
  for (const orderId of await service.store.sentOrders(Number.MAX_SAFE_INTEGER, MOST_SENT)) {
    left.push(...(await sentOperations(orderId, service)))
  }
  return left
}

/** For a shared store. They count as under way from now on, so that they are not found again. */
async function leftByGone(sharing: Cluster, { underWay }: Service): Promise<readonly AbandonedOperation[]> {
  const left = await sharing.takeLeftOperations(MOST_SENT, (operationId) => underWay.has(operationId))
  for (const { operationId } of left) underWay.add(operationId)
  return left
}

/** If the operation cannot be read now, it is found again next time. */
async function lookUpLeft({ orderId, operationId }: AbandonedOperation, service: Service): Promise<void> {
  let found: SentOperation | undefined
  try {
    found = (await sentOperations(orderId, service)).find(({ operation }) => operation.id === operationId)
  } finally {
    if (found === undefined) service.underWay.delete(operationId)
  }
  if (found !== undefined) await lookUpSent(found, service)
}
