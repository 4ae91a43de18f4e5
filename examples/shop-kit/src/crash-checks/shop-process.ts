import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { FromShop, ProcessSetup } from './serve-shop.ts'

/** A process of the shop, for the test that kills it. */
export interface ShopProcess {
  /** Makes it open its file and listen. Gives its address. */
  start(setup: ProcessSetup): Promise<string>
  /** Resolves when a callback has arrived. */
  readonly called: Promise<void>
  /** kill -9. */
  kill(): void
  /** Lets it do what is due, and ends it. */
  finish(): void
  /** How it ended: an exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>
}

/** Forks a program that calls `serveShop`. It loads at once, and starts when `start` is called. */
export function forkShop(program: URL, execArgv: readonly string[]): ShopProcess {
  const child = fork(program, { execArgv: [...execArgv, '--no-warnings'] })
  const ended = once(child, 'exit').then(([code, signal]) => signal ?? code)
  const listening = Promise.withResolvers<string>()
  const called = Promise.withResolvers<void>()
  child.on('message', (message: FromShop) => {
    if (message === 'called') called.resolve()
    else listening.resolve(message.url)
  })
  return {
    start: async (setup) => {
      child.send(setup)
      const died = ended.then((how) => Promise.reject(new Error(`The shop ended with ${how} before it listened`)))
      return await Promise.race([listening.promise, died])
    },
    called: called.promise,
    kill: () => void child.kill('SIGKILL'),
    finish: () => void child.send('finish'),
    ended,
  }
}
