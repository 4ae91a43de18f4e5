import type { LeftOperation, Sharing } from '../store/sharing.ts'
import type { Agenda } from './agenda.ts'
import { atMost } from './at-most.ts'
import { lookUpSent, type SentOperation, sentOperations } from './lookup.ts'
import type { Service } from './service.ts'

/** More than can be under way at once. */
const MOST_SENT = 1_000_000
/** Look-ups that go on at a time: the acquirer has to answer to whoever pays now, too. */
const AT_ONCE = 64
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

/** Whether it is known what the last process left. */
export interface Recovery {
  /** Resolves once it is known. Rejects while the store cannot say; it is asked again. */
  known(): Promise<void>
  /** Asks no more. Resolves when nothing of it goes on. */
  stop(): Promise<void>
}

/**
 * Takes up what the last process left in the store: operations that it had sent are looked up, and what is due is seen
 * to. It is known what these are before anything new is sent. A store that fails is asked again, ever less often.
 */
export function recover(service: Service, agenda: Agenda): Recovery {
  let cancel = () => {}
  let isStopped = false
  let known = attempt(FIRST_WAIT_MS)

  function attempt(waitMs: number): Promise<void> {
    const attempted = service
      .requireSameSettings()
      .then(() => takeUpLeft(service))
      .then(agenda.wake)
    // Every request is answered with the failure; where none comes, nobody else would hear of it.
    attempted.catch((error) => {
      service.onError(error)
      if (!isStopped) cancel = service.clock.schedule(waitMs, () => again(waitMs))
    })
    return attempted
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
 * Looks up what was sent by processes that are gone, and sends none of it again. Where several share the store, a process
 * that is alive may be waiting for the acquirer at this moment: only what the store gives to this one is looked up.
 * Resolves when it is known what that is.
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
  background.run(() => atMost(AT_ONCE, left, (each) => background.runToEnd(() => lookUp(each, service))))
}

/** Whoever sent them was this store's only process. */
async function leftByAll(service: Service): Promise<readonly SentOperation[]> {
  const left: SentOperation[] = []
  for (const orderId of await service.store.sentOrders(Number.MAX_SAFE_INTEGER, MOST_SENT)) {
    left.push(...(await sentOperations(orderId, service)))
  }
  return left
}

/** They count as under way from now on, so that the next look does not find them again. */
async function leftByGone(sharing: Sharing, { underWay }: Service): Promise<readonly LeftOperation[]> {
  const left = await sharing.takeLeftOperations(MOST_SENT, (operationId) => underWay.has(operationId))
  for (const { operationId } of left) underWay.add(operationId)
  return left
}

/** One that cannot be read now is found again by the next look. */
async function lookUpLeft({ orderId, operationId }: LeftOperation, service: Service): Promise<void> {
  let found: SentOperation | undefined
  try {
    found = (await sentOperations(orderId, service)).find(({ operation }) => operation.id === operationId)
  } finally {
    if (found === undefined) service.underWay.delete(operationId)
  }
  if (found !== undefined) await lookUpSent(found, service)
}
