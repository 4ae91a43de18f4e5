/** Work that goes on after a request was acknowledged. */
export interface Background {
  run(task: () => Promise<void>): void
  /** As `run`. Resolves when this work has ended, well or not. */
  runToEnd(task: () => Promise<void>): Promise<void>
  /** Resolves when nothing goes on any more, also nothing that other work started. */
  settled(): Promise<void>
}

export function background(onError: (error: unknown) => void): Background {
  const running = new Set<Promise<void>>()
  function runToEnd(task: () => Promise<void>): Promise<void> {
    const work = task()
      .catch(onError)
      .finally(() => running.delete(work))
    running.add(work)
    return work
  }

  return {
    run: (task) => void runToEnd(task),
    runToEnd,
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
