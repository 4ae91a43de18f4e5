import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A process of the proof, as its killer holds it. */
export interface NodeProcess<To> {
  /** Where it listens, once it does. `undefined`: it ended before. */
  readonly origin: Promise<string | undefined>
  /** Resolves when it is dead. */
  readonly ended: Promise<unknown>
  tell(message: To): void
  /** Tells it, and resolves when it answers that this is done, or is dead. */
  ask(message: To): Promise<void>
  /** Has it end by itself. */
  stop(): Promise<void>
  /** kill -9. Resolves when it is dead. */
  kill(): Promise<void>
  /** What it complained of. */
  complaints(): string
}

export interface NodeProcessOptions<From, To> {
  readonly module: URL
  readonly settings: object
  /** Where node keeps what it compiled: as fast as a build would be, all but the first time. */
  readonly cacheFolder: string
  /** Hears of everything but where it listens. Gives whether it says that what was asked for is done. */
  readonly onMessage: (message: From, tell: (message: To) => void) => boolean
}

export function startNode<From extends object, To extends string | object>({
  module,
  settings,
  cacheFolder,
  onMessage,
}: NodeProcessOptions<From, To>): NodeProcess<To> {
  const child = fork(module, [JSON.stringify(settings)], {
    execArgv: ['--conditions=@tallystick/source'],
    env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const ended = once(child, 'close')
  const listening = Promise.withResolvers<string>()
  let answered = Promise.withResolvers<void>()
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  // Who is dead hears nothing.
  const tell = (message: To | 'stop') => {
    if (child.connected) child.send(message, () => {})
  }
  child.on('message', (message: From | { readonly origin: string }) => {
    if ('origin' in message) listening.resolve(String(message.origin))
    else if (onMessage(message, tell)) answered.resolve()
  })
  return {
    origin: Promise.race([listening.promise, ended.then(() => undefined)]),
    ended,
    tell,
    ask: async (message) => {
      answered = Promise.withResolvers<void>()
      tell(message)
      await Promise.race([answered.promise, ended])
    },
    stop: async () => {
      tell('stop')
      await ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    complaints: () => said,
  }
}
