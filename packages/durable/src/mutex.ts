/** Runs work one after the other, each in its turn, whether those before it succeed or fail. */
export type Mutex = <Result>(work: () => Promise<Result>) => Promise<Result>

export function mutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}
