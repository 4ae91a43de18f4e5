import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A process of the proof, as its killer sees it. */
export interface NodeProcess<To> {
  /** The address where it listens, once it does. `undefined`: it ended before. */
  readonly origin: Promise<string | undefined>
  /** Resolves when it is dead. */
  readonly ended: Promise<unknown>
  tell(message: To): void
  /** Sends a message, and resolves when the process answers that this is done, or is dead. */
  ask(message: To): Promise<void>
  /** Asks it to end, and resolves when it has. */
  stop(): Promise<void>
  /** kill -9. Resolves when it is dead. */
  kill(): Promise<void>
  /** Its error output. */
  complaints(): string
}

export interface NodeProcessOptions<From, To> {
  readonly module: URL
  readonly settings: object
  /** Where Node stores what it compiled: all but the first process start as fast as a built one. */
  readonly cacheFolder: string
  /** Called with every message but the address. Gives whether the message says that what was asked for is done. */
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
  // A dead process gets no messages.
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
