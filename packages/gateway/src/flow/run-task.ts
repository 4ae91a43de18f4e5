import type { OrderTask, Task } from '../store/task.ts'
import { abandonOrder } from './abandon.ts'
import { chargeOnSchedule } from './charge.ts'
import { expireCheck } from './expire-check.ts'
import { lookUpUnknown } from './lookup.ts'
import { releaseHold } from './release.ts'
import type { Service } from './service.ts'

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
export function runTask(service: Service): (task: Task) => Promise<void> {
  const unknown = new Set<string>()
  return async (task) => {
    const { kind } = task
    if (kind === 'charge') await chargeOnSchedule(task, service)
    else if (Object.hasOwn(RUN, kind)) await RUN[kind](task, service)
    else if (!unknown.has(kind)) {
      unknown.add(kind)
      service.onError(new Error(`Tasks of the kind ${kind} are left to a newer version`))
    }
  }
}
