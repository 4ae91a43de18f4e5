import type { Service } from '../context.ts'
import type { LimitListener } from '../http/concurrency-limit.ts'
import { TASKS_AT_ONCE } from '../scheduler/scheduler.ts'
import type { OrderTask, Task } from '../store/store.ts'
import { chargeOnSchedule } from './charge.ts'
import { abandonOrder, expireCheck, releaseHold } from './expiry.ts'
import { lookUpUnknown } from './status-inquiry.ts'

/** What runs when a task of an order is due, by its kind. */
const RUN: Readonly<Record<OrderTask['kind'], (task: OrderTask, service: Service) => Promise<void>>> = {
  lookup: lookUpUnknown,
  release: releaseHold,
  abandon: abandonOrder,
  'expire-check': expireCheck,
}

/**
 * Runs a task by its kind. A kind that this version does not know comes from a newer version that shares the store. It is left
 * alone, so that the newer version can claim it when this claim ends, and reported once.
 */
export function runTask(service: Service, shares: Shares): (task: Task) => Promise<void> {
  const unknown = new Set<string>()
  const run = async (task: Task) => {
    const { kind } = task
    if (kind === 'charge') await chargeOnSchedule(task, service)
    else if (Object.hasOwn(RUN, kind)) await RUN[kind](task, service)
    else if (!unknown.has(kind)) {
      unknown.add(kind)
      service.onError(new Error(`Tasks of the kind ${kind} are left to a newer version`))
    }
  }
  return shares.most === Number.POSITIVE_INFINITY ? run : inShares(run, shares, service)
}

interface Shares {
  /** How many tasks of one merchant may be in hand at a time. */
  readonly most: number
  readonly onLimit: LimitListener
}

/** Half of what the agenda takes in hand, unless there is no other merchant: one whose bank is slow must leave room for others. */
export function tasksPerMerchant(merchants: number): number {
  return merchants === 1 ? Number.POSITIVE_INFINITY : TASKS_AT_ONCE / 2
}

const PUT_OFF_MS = 5000

/** Runs a task if its merchant's share has room, and otherwise puts it off. That is no try of it. */
function inShares(run: (task: Task) => Promise<void>, { most, onLimit }: Shares, service: Service) {
  const underWay = new Map<string, Set<Task>>()
  return async (task: Task) => {
    const { clock, fraction, commit } = service
    const login = await loginOf(task, service)
    const mine = underWay.get(login) ?? new Set()
    // A task whose claim has ended takes no room: it may never end, and anyone may claim it.
    for (const each of mine) if (each.dueAt <= clock.trusted()) mine.delete(each)
    if (mine.size >= most) {
      onLimit({ limit: 'tasks', login })
      await commit({ tasks: [{ ...task, dueAt: Math.round(clock.trusted() + PUT_OFF_MS * (1 + fraction())) }] })
      return
    }
    underWay.set(login, mine.add(task))
    try {
      await run(task)
    } finally {
      mine.delete(task)
      if (mine.size === 0 && underWay.get(login) === mine) underWay.delete(login)
    }
  }
}

async function loginOf(task: Task, { store }: Service): Promise<string> {
  const of =
    task.kind === 'charge'
      ? await store.recurringPaymentById(task.recurringPaymentId)
      : await store.orderById(task.orderId)
  return of?.login ?? ''
}
