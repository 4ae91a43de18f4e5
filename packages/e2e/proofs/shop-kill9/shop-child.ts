import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { FromShop, ShopSettings, ToShop } from './messages.ts'

/** A process of the shop, as its killer holds it. */
export interface ShopChild {
  /** Where it takes callbacks, once it does. `undefined`: it ended before. */
  readonly origin: Promise<string | undefined>
  /** kill -9. Resolves when it is dead. */
  kill(): Promise<void>
  /** Resolves when it sells nothing any more and nothing is due. */
  finish(): Promise<void>
  /** Has it end by itself. */
  stop(): Promise<void>
  /** What it complained of. */
  complaints(): string
}

const PROCESS = new URL('shop-process.ts', import.meta.url)

/** @param cacheFolder where node keeps what it compiled: as fast as a build would be, all but the first time */
export function startShop(settings: ShopSettings, cacheFolder: string): ShopChild {
  const child = fork(PROCESS, [JSON.stringify(settings)], {
    execArgv: ['--conditions=@tallystick/source'],
    env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const ended = once(child, 'close')
  const listening = Promise.withResolvers<string>()
  const idle = Promise.withResolvers<void>()
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  child.on('message', (message: FromShop) => {
    if ('origin' in message) listening.resolve(message.origin)
    else idle.resolve()
  })
  const tell = (message: ToShop) => {
    // Who is dead hears nothing.
    if (child.connected) child.send(message, () => {})
  }
  return {
    origin: Promise.race([listening.promise, ended.then(() => undefined)]),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    finish: async () => {
      tell('finish')
      await Promise.race([idle.promise, ended])
    },
    stop: async () => {
      tell('stop')
      await ended
    },
    complaints: () => said,
  }
}
