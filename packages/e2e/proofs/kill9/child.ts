import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Bank } from '../bank/bank.ts'
import type { FromGateway, GatewaySettings, ToGateway } from './messages.ts'
import { answerQuestion } from './remote-bank.ts'

/** A gateway in a process of its own, as its killer holds it. */
export interface Child {
  /** Where it listens, once it does. `undefined`: it ended before. */
  readonly origin: Promise<string | undefined>
  /** kill -9. Resolves when it is dead. */
  kill(): Promise<void>
  /** Resolves when nothing goes on in it any more. */
  settle(): Promise<void>
  /** Has it end by itself. */
  stop(): Promise<void>
  /** What it complained of. */
  complaints(): string
}

export interface ChildOptions {
  readonly settings: GatewaySettings
  readonly bank: Bank
  /** Where node keeps what it compiled: as fast as a build would be, all but the first time. */
  readonly cacheFolder: string
}

const PROCESS = new URL('gateway-process.ts', import.meta.url)

export function startChild({ settings, bank, cacheFolder }: ChildOptions): Child {
  const child = fork(PROCESS, [JSON.stringify(settings)], {
    execArgv: ['--conditions=@tallystick/source'],
    env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const ended = once(child, 'close')
  const listening = Promise.withResolvers<string>()
  const settled = Promise.withResolvers<void>()
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  child.on('message', (message: FromGateway) => {
    if ('origin' in message) listening.resolve(message.origin)
    else if ('settled' in message) settled.resolve()
    else void answerQuestion(bank, message).then((answer) => tell(child, answer))
  })
  return {
    origin: Promise.race([listening.promise, ended.then(() => undefined)]),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    settle: async () => {
      tell(child, 'settle')
      await settled.promise
    },
    stop: async () => {
      tell(child, 'stop')
      await ended
    },
    complaints: () => said,
  }
}

/** Who is dead hears nothing. */
function tell(child: ChildProcess, message: ToGateway): void {
  if (child.connected) child.send(message, () => {})
}
