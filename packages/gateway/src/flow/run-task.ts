import type { Task } from '../store/task.ts'
import { lookUpUnknown } from './lookup.ts'
import { releaseHold } from './release.ts'
import type { Service } from './service.ts'

/** What each kind of task does when it is due. */
const RUN: Readonly<Record<Task['kind'], (task: Task, service: Service) => Promise<void>>> = {
  lookup: lookUpUnknown,
  release: releaseHold,
}

export function runTask(service: Service): (task: Task) => Promise<void> {
  return (task) => RUN[task.kind](task, service)
}
