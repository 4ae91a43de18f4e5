import type { OrderTask, Task } from '../store/task.ts'
import { abandonOrder } from './abandon.ts'
import { chargeOnSchedule } from './charge.ts'
import { expireCheck } from './expire-check.ts'
import { lookUpUnknown } from './lookup.ts'
import { releaseHold } from './release.ts'
import type { Service } from './service.ts'

/** What each kind of task of an order does when it is due. */
const RUN: Readonly<Record<OrderTask['kind'], (task: OrderTask, service: Service) => Promise<void>>> = {
  lookup: lookUpUnknown,
  release: releaseHold,
  abandon: abandonOrder,
  'expire-check': expireCheck,
}

/**
 * A kind that this version does not know is of a newer one, which shares the store: it is left to that until the claim is over,
 * and told once.
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
