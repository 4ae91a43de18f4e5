import type { Attempted, Delivery } from '../delivery.ts'
import type { Queries } from '../sql/tables.ts'
import { deliveryOf, taskOf } from '../sql/task-rows.ts'
import type { Claim } from '../store.ts'
import type { Task } from '../task.ts'
import type { Database } from './database.ts'
import { agendaStatements } from './task-statements.ts'

/** Deliveries and tasks. Methods that write run within the transaction of the commit queue. */
export interface AgendaTable {
  writeDelivery(delivery: Delivery, orderSeq: number): void
  writeAttempt(attempted: Attempted, orderSeq: number): void
  /** `orderSeq`: the order that the task is about, if it is about one. */
  writeTask(task: Task, orderSeq: number | undefined): void
  removeTask(id: string): void
  hasDueDelivery(now: number): boolean
  hasDueTask(now: number): boolean
  claimDeliveries(claim: Claim): readonly Delivery[]
  claimTasks(claim: Claim): readonly Task[]
  nextDueAt(): number | undefined
}

export function agendaTable(database: Database, queries: Queries): AgendaTable {
  const statements = agendaStatements(database, queries)

  function nextDelivery(): number {
    return Number(statements.nextDelivery.get(undefined)?.due_at ?? Infinity)
  }

  function nextTask(): number {
    return Number(statements.nextTask.get(undefined)?.due_at ?? Infinity)
  }

  return {
    writeDelivery: (delivery, seq) => void statements.writeDelivery.run({ delivery, seq }),
    writeAttempt: (attempted, seq) => void statements.writeAttempt.run({ ...attempted, seq }),
    writeTask: (task, seq) => void statements.writeTask.run({ task, seq }),
    removeTask: (id) => void statements.removeTask.run(id),
    hasDueDelivery: (now) => nextDelivery() <= now,
    hasDueTask: (now) => nextTask() <= now,
    claimDeliveries: (claim) =>
      statements.dueDeliveries.all(claim).map((row) => {
        statements.putOffDelivery.run({ row, claim })
        return { ...deliveryOf(row), dueAt: claim.until }
      }),
    claimTasks: (claim) =>
      statements.dueTasks.all(claim).map((row) => {
        statements.putOffTask.run({ row, claim })
        return { ...taskOf(row), dueAt: claim.until }
      }),
    nextDueAt: () => {
      const next = Math.min(nextDelivery(), nextTask())
      return Number.isFinite(next) ? next : undefined
    },
  }
}
