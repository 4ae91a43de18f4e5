/** Work that continues after a request was acknowledged. `serialNumber`: of that request, reported with a failure. */
export interface Background {
  run(task: () => Promise<void>, serialNumber?: string): void
  /** As `run`, and resolves when this work has ended, successfully or not. */
  runToEnd(task: () => Promise<void>, serialNumber?: string): Promise<void>
  /** Resolves when nothing is running any more, including work that other work started. */
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
