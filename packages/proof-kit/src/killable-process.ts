import { fork } from 'node:child_process'
import { once } from 'node:events'

/** What the other side may call. Arguments and results are cloned. */
type Methods = object
/** Calls a method of the other side. */
type Call<Served extends Methods, Dead = never> = <Name extends keyof Served & string>(
  name: Name,
  ...args: Served[Name] extends (...args: infer Args) => unknown ? Args : never
) => Promise<(Served[Name] extends (...args: never) => infer Result ? Awaited<Result> : never) | Dead>

type Message =
  | { readonly call: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly reply: number; readonly result: unknown }
  | { readonly reply: number; readonly failure: string }

export class RemoteError extends Error {
  override readonly name = 'RemoteError'
}

/** One end of the channel: calls methods of the other side, and answers its calls. */
function endOf(send: (message: Message) => void, methods: () => Methods) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let calls = 0

  async function answer(name: string, args: readonly unknown[]): Promise<unknown> {
    const method: unknown = Reflect.get(methods(), name)
    if (typeof method !== 'function') throw new Error(`there is no method ${name}`)
    return await Reflect.apply(method, undefined, args)
  }

  return {
    call: (name: string, ...args: readonly unknown[]): Promise<unknown> => {
      const call = Promise.withResolvers<unknown>()
      waiting.set(++calls, call)
      send({ call: calls, name, args })
      return call.promise
    },
    receive: (message: Message): void => {
      if ('call' in message) {
        answer(message.name, message.args).then(
          (result) => send({ reply: message.call, result }),
          (error: unknown) =>
            send({ reply: message.call, failure: error instanceof Error ? error.message : String(error) }),
        )
        return
      }
      const call = waiting.get(message.reply)
      waiting.delete(message.reply)
      if ('failure' in message) call?.reject(new RemoteError(message.failure))
      else call?.resolve(message.result)
    },
  }
}

/** A process of the proof, as its parent sees it. */
export interface KillableProcess<Child extends Methods> {
  /** The address where it listens, once it does. `undefined`: it ended before. */
  readonly origin: Promise<string | undefined>
  /** Resolves when it is dead: whether a signal ended it. */
  readonly ended: Promise<boolean>
  /** Resolves with what the method gives, or with `undefined` when the process is dead. */
  readonly call: Call<Child, undefined>
  /** The address where it listens. @throws Error with its error output if it ended before */
  listening(): Promise<string>
  /** Asks it to end, and resolves when it has. */
  stop(): Promise<void>
  /** kill -9. Resolves when it is dead. */
  kill(): Promise<void>
  /** Its error output, if there was any. */
  complaints(): readonly string[]
}

export interface ProcessOptions {
  readonly module: URL
  readonly settings: object
  /** Where Node stores what it compiled: all but the first process start as fast as a built one. */
  readonly cacheFolder?: string
  readonly methods?: Methods
}

export function startProcess<Child extends Methods>(options: ProcessOptions): KillableProcess<Child> {
  const child = fork(options.module, [JSON.stringify(options.settings)], {
    execArgv: ['--conditions=@tallystick/source'],
    env: { ...process.env, ...(options.cacheFolder && { NODE_COMPILE_CACHE: options.cacheFolder }) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const ended = once(child, 'close').then(([, signal]) => signal !== null)
  const dead = ended.then(() => undefined)
  const listening = Promise.withResolvers<string>()
  let complaints = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    complaints += chunk
  })
  // A dead process gets no messages.
  const send = (message: Message) => void (child.connected && child.send(message, () => {}))
  const methods = { ...options.methods, ready: listening.resolve }
  const { call, receive } = endOf(send, () => methods)
  child.on('message', receive)
  const origin = Promise.race([listening.promise, dead])
  return {
    origin,
    ended,
    call: ((...args) => Promise.race([call(...args), dead])) as Call<Child, undefined>,
    listening: async () => {
      const listensAt = await origin
      if (listensAt === undefined) throw new Error(`It does not start: ${complaints}`)
      return listensAt
    },
    stop: async () => {
      await Promise.race([call('stop'), ended])
      await ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    complaints: () => (complaints === '' ? [] : [complaints]),
  }
}

/** The same process, as it sees itself. It does not outlive its parent. */
export function underParent<Settings, Parent extends Methods>() {
  let served: Methods = {}
  const { call, receive } = endOf(
    (message) => void (process.connected && process.send?.(message)),
    () => served,
  )
  process.once('disconnect', () => process.exit())
  return {
    settings: JSON.parse(process.argv[2] ?? '') as Settings,
    call: call as Call<Parent & { ready(origin: string): void }>,
    /** From now on the parent may call these. `stop` has to close everything; then the process ends. */
    serve: (methods: Methods & { stop(): Promise<void> }): void => {
      served = { ...methods, stop: () => methods.stop().then(() => process.disconnect()) }
      process.on('message', receive)
    },
  }
}
