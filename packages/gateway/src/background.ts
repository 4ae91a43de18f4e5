/** Work that goes on after a request was acknowledged. `serialNumber`: of the request that a failure is told of with. */
export interface Background {
  run(task: () => Promise<void>, serialNumber?: string): void
  /** As `run`. Resolves when this work has ended, well or not. */
  runToEnd(task: () => Promise<void>, serialNumber?: string): Promise<void>
  /** Resolves when nothing goes on any more, also nothing that other work started. */
  settled(): Promise<void>
}

export function background(onError: (error: unknown, serialNumber?: string) => void): Background {
  const running = new Set<Promise<void>>()
  function runToEnd(task: () => Promise<void>, serialNumber?: string): Promise<void> {
    const work = task()
      .catch((error: unknown) => onError(error, serialNumber))
      .finally(() => running.delete(work))
    running.add(work)
    return work
  }

  return {
    run: (task, serialNumber) => void runToEnd(task, serialNumber),
    runToEnd,
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
