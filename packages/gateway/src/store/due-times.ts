import type { Change } from './store.ts'

/** When the deliveries and tasks of a change are due. */
export function dueTimes({ deliveries = [], attempts = [], tasks = [] }: Change): readonly number[] {
  const due = [...deliveries, ...attempts.map(({ delivery }) => delivery), ...tasks]
  return due.flatMap(({ dueAt }) => dueAt ?? [])
}
