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

export function runTask(service: Service): (task: Task) => Promise<void> {
  return (task) => (task.kind === 'charge' ? chargeOnSchedule(task, service) : RUN[task.kind](task, service))
}
