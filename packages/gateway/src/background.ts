/** Work that goes on after a request was acknowledged. */
export interface Background {
  run(task: () => Promise<void>): void
  /** Resolves when nothing goes on any more, also nothing that other work started. */
  settled(): Promise<void>
}

export function background(onError: (error: unknown) => void): Background {
  const running = new Set<Promise<void>>()
  return {
    run: (task) => {
      const work = task()
        .catch(onError)
        .finally(() => running.delete(work))
      running.add(work)
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
