/**
 * Runs the work once at a time. All who ask for it during a run share the next one, because what this one sees may be too old
 * for them: so nobody queues up behind work that takes long, as while a database is away.
 */
export function onceMore<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  let next: Promise<Result> | undefined

  function begin(): Promise<Result> {
    next = undefined
    running = work().finally(() => {
      running = undefined
    })
    return running
  }

  return () => {
    if (next !== undefined) return next
    if (running === undefined) return begin()
    next = running.then(begin, begin)
    return next
  }
}
