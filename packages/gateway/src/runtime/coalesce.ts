/**
 * Runs the work once at a time. All callers during a run share the next one, because what this one sees may be too old for
 * them. So calls do not queue up behind work that takes long, as when a database is away.
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
