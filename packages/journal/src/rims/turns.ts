/** Runs it once no more work is on its way in this turn of the event loop. */
export function afterThisTurn(task: () => void): void {
  setImmediate(task)
}

/** Resolves after so many milliseconds: another process has the database. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
