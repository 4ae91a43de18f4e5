import { memoryStore } from '../../src/index.ts'
import type { Cluster } from '../../src/store/store.ts'
import type { Change, CommitResult, Store } from '../../src/store-port.ts'

type Commit = (change: Change, now: number) => Promise<CommitResult>

/** A store in memory whose commits go through `around`. */
export function committing(
  around: (change: Change, commit: () => Promise<CommitResult>) => Promise<CommitResult>,
): Store {
  const inner = memoryStore()
  const commit: Commit = (change, now) => around(change, () => inner.commit(change, now))
  return { ...inner, commit }
}

/** A store in memory, with a list of all changes that it has written. */
export function recording() {
  const changes: Change[] = []
  const store = committing(async (change, commit) => {
    const committed = await commit()
    if (committed.ok) changes.push(change)
    return committed
  })
  return { store, changes }
}

/** A store in memory, one part of which fails. */
export function failing(part: keyof Store, error: Error): Store {
  return { ...memoryStore(), [part]: () => Promise.reject(error) }
}

/** What a process knows of the others that share its store: all are alive, and `wake` makes it look after them. */
export function shared(takeAbandonedOperations: Cluster['takeAbandonedOperations'] = async () => []) {
  let woken = () => {}
  const cluster: Cluster = {
    isAlive: () => true,
    mayClaim: () => true,
    takeAbandonedOperations,
    onWake: (look) => {
      woken = look
      return () => {}
    },
  }
  return { cluster, wake: () => woken() }
}
