import { setTimeout as pause } from 'node:timers/promises'
import type { Bank } from '../bank/bank.ts'
import { answerCall, answerQuestion } from '../kill9/remote-bank.ts'
import { startNode } from '../process/node-process.ts'
import type { Death } from './death.ts'
import type { FromGateway, GatewaySettings, NamedOrder, ToGateway, ToldOrder } from './messages.ts'
import type { PlannedSchedule } from './plan.ts'

/** A gateway in its own process, as its killer sees it. */
export interface Child {
  /** The time of its clock, now or when it died. */
  now(): number
  /** How often it has called the bank. */
  calls(): number
  isDead(): boolean
  /** Resolves when its clock has gone on, or it is dead. */
  advance(hours: number, setBackMs: number): Promise<void>
  create(schedules: readonly PlannedSchedule[]): Promise<readonly string[]>
  statusOf(orders: readonly NamedOrder[]): Promise<readonly ToldOrder[]>
  kill(): Promise<void>
  /** Asks it to end, and resolves when it has. */
  stop(): Promise<void>
  /** Whether SIGKILL ended it. Resolves once it is dead. */
  wasKilled(): Promise<boolean>
  /** Its error output. */
  complaints(): string
}

export interface ChildOptions {
  readonly settings: GatewaySettings
  readonly cacheFolder: string
  readonly death: Death | undefined
  readonly bank: Bank
  /** The merchant gets a callback. */
  readonly onCallback: (url: string) => void
  readonly onDiskFailure: () => void
}

const PROCESS = new URL('gateway-process.ts', import.meta.url)

export function startChild({ settings, cacheFolder, death, bank, onCallback, onDiskFailure }: ChildOptions): Child {
  const counts = { call: 0, callback: 0 }
  let now = settings.now
  let created: readonly string[] = []
  let told: readonly ToldOrder[] = []
  let isDead = false

  /** What has left the process arrives, whether or not it lives on. At the planned death nothing is answered. */
  function deliver(what: 'call' | 'callback', work: () => void): void {
    const number = ++counts[what]
    const dies = death?.at === what && death.number === number
    if (dies) void node.kill()
    if (death?.at === 'moment' && what === 'call' && death.number === number) void pause(death.laterMs).then(node.kill)
    if (!dies || death.arrives) work()
  }

  const node = startNode<FromGateway, ToGateway>({
    module: PROCESS,
    settings,
    cacheFolder,
    onMessage: (message, tell) => {
      if ('clock' in message) now = message.clock
      if ('created' in message) created = message.created
      if ('told' in message) told = message.told
      if ('bank' in message) {
        deliver('call', () => void answerQuestion(message, (call) => answerCall(bank, call)).then(tell))
      }
      if ('callbackId' in message) {
        deliver('callback', () => {
          onCallback(message.url)
          tell({ heardId: message.callbackId })
        })
      }
      if ('diskFailure' in message) onDiskFailure()
      return 'done' in message
    },
  })
  const killed = node.ended.then((how) => {
    isDead = true
    return Array.isArray(how) && how.includes('SIGKILL')
  })
  return {
    now: () => now,
    calls: () => counts.call,
    isDead: () => isDead,
    advance: (advanceHours, setBackMs) => node.ask({ advanceHours, setBackMs }),
    create: async (schedules) => {
      await node.ask({ create: schedules })
      return created
    },
    statusOf: async (orders) => {
      await node.ask({ statusOf: orders })
      return told
    },
    kill: node.kill,
    stop: node.stop,
    wasKilled: () => killed,
    complaints: node.complaints,
  }
}
