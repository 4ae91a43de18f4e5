import type { Change } from './store.ts'

/** When that is due which a change makes due. */
export function dueTimes({ deliveries = [], attempts = [], tasks = [] }: Change): readonly number[] {
  const due = [...deliveries, ...attempts.map(({ delivery }) => delivery), ...tasks]
  return due.flatMap(({ dueAt }) => dueAt ?? [])
}
