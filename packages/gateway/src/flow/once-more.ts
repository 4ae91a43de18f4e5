/**
 * Runs the work one time after the other. Whoever wants it while it goes on shares the next time, as what it sees may be too
 * old: so nobody queues up behind work that takes long, as while a database is away.
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
