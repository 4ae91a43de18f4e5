import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { PaymentClient, Transport } from '@tallystick/client'
import type { JournalStore } from '@tallystick/client/ports'
import { createJournal, type Journal, type JournalEvent } from '@tallystick/journal'
import type { Random } from '@tallystick/proof-kit'
import type { TestGateway } from '@tallystick/testing'
import { killableClock, killableTransport, type Life, life } from '../sim/killable.ts'
import type { Place, Shop } from './places.ts'

/** A way to build a shop that must be found out. */
export type Naive = 'prepares on another connection' | 'sends without a lock' | 'forgets what was prepared'

/** What the network does to the requests of a process, in a hundred. */
const NOT_SENT_PERCENT = 4
const LOST_PERCENT = 4
/** Of the processes, how many die, and after how many of their steps at most. */
const DYING_PERCENT = 40
const LONGEST_LIFE = 45

export interface World {
  readonly gateway: TestGateway
  readonly place: Place
  readonly random: Random
  readonly naive: Naive | undefined
  /** Called with each request that arrives at the gateway, without those for a status. */
  readonly onArrival: (form: URLSearchParams) => void
  readonly onEvent: (event: JournalEvent) => void
  /** Notes that a process has died. */
  readonly onDeath: () => void
}

/** A process of the shop: it may die at any of its awaits. */
export interface ShopProcess {
  readonly life: Life
  readonly journal: Journal<Shop>
  /** The result; `undefined` if the process dies before it. */
  lives<Result>(work: () => Promise<Result>): Promise<Result | undefined>
}

/** @param store connections of its own. A dead process has left them to its successor, as a pool of the server does */
export function shopProcess(world: World, store: JournalStore<Shop>, isImmortal = false): ShopProcess {
  const { gateway, random, place, naive } = world
  const dies = !isImmortal && random.below(100) < DYING_PERCENT
  const ended = life(dies ? 1 + random.below(LONGEST_LIFE) : undefined, random, world.onDeath)
  const client: PaymentClient = gateway.client({
    transport: killableTransport(networkOf(world, isImmortal), ended),
    readAttempts: 1,
    // Nothing here is signed with it, and to read it takes time.
    privateKey: undefined,
  })
  const journal = createJournal<Shop>({
    client,
    store: killable(store, ended, world),
    clock: killableClock(gateway.clock, ended),
    fraction: () => random.below(1000) / 1000,
    handler: async ({ outcome, transaction }) => await place.note(transaction, outcome.businessKey),
    onNotice: 'ignore',
    onEvent: (event) => ended.isOver() || world.onEvent(event),
    watchDays: 0,
    ...(naive === 'forgets what was prepared' && { sendPreparedAfterMs: 'never' as const }),
  })
  return {
    life: ended,
    journal,
    lives: async (work) => {
      if (ended.isOver()) return undefined
      return await Promise.race([work(), ended.over.then(() => undefined)])
    },
  }
}

function networkOf({ gateway, random, onArrival }: World, isReliable: boolean): Transport {
  const inner = gateway.merchant.transport
  if (inner === undefined) throw new Error('the gateway has a socket')
  return {
    send: async (request, options) => {
      const mishap = isReliable ? 100 : random.below(100)
      if (mishap < NOT_SENT_PERCENT) return { kind: 'not-sent', seen: 'connect ECONNREFUSED' }
      const isStatus = request.url.includes('/status/')
      if (!isStatus) onArrival(new URLSearchParams(request.body))
      const exchange = await inner.send(request, options)
      return mishap < NOT_SENT_PERCENT + LOST_PERCENT ? { kind: 'lost', seen: 'read ECONNRESET' } : exchange
    },
    close: async () => {},
  }
}

/** The store as a process has it: what it does last may take effect or not, and others are at work between any two steps. */
function killable(store: JournalStore<Shop>, ended: Life, { random, naive }: World): JournalStore<Shop> {
  const slowly = <Result>(work: () => Promise<Result>) =>
    ended.step(async () => {
      for (let turns = random.below(3); turns > 0; turns--) await turnOfLoop()
      return await work()
    })
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    typeof method === 'function'
      ? (...args: unknown[]) => slowly(() => Promise.resolve<unknown>(Reflect.apply(method, store, args)))
      : method,
  ])
  const all = Object.fromEntries(methods) as unknown as JournalStore<Shop>
  return {
    ...all,
    ...(naive === 'prepares on another connection' && { insert: (intent) => slowly(() => store.insert(intent)) }),
    ...(naive === 'sends without a lock' && {
      update: async (...changes) =>
        (await all.update(...changes)) || changes.some(({ intent }) => intent.state === 'SENDING'),
    }),
    deliver: (outcome, now, handler, limitMs) =>
      slowly(() =>
        store.deliver(
          outcome,
          now,
          async (transaction) => {
            await Promise.race([handler(transaction), ended.over])
            if (ended.isOver()) throw new Error('the process is dead')
          },
          limitMs,
        ),
      ),
    close: async () => {},
  }
}
