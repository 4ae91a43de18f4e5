import {
  createCallbackHandler,
  type Exchange,
  type OutgoingRequest,
  type Transport,
  undiciTransport,
} from '@tallystick/client'
import type { JournalOutcome, JournalStore } from '@tallystick/client/ports'
import { type VirtualClock, virtualClock } from '@tallystick/gateway'
import {
  createJournal,
  type Journal,
  type JournalEvent,
  memoryJournalStore,
  type Notifier,
  type OrphanNotice,
  type OrphanOutcome,
} from '@tallystick/journal'
import { type StartGatewayOptions, saleInput, startGateway } from '@tallystick/testing'

/** What happens to one request on its way; `undefined`: nothing. */
export type Mishap = (request: OutgoingRequest, send: () => Promise<Exchange>) => Promise<Exchange> | undefined

export type JournalShopOptions = Omit<StartGatewayOptions<VirtualClock>, 'store'> & {
  readonly store?: JournalStore<unknown>
  /** Takes outcomes and notices of orders without an intent. */
  readonly onOrphan?: (told: OrphanOutcome | OrphanNotice) => void
  readonly wakeups?: Notifier
  readonly repeatsGetFirstAnswer?: boolean
}

/** A shop with a journal in front of a real gateway, on one virtual clock. */
export async function journalShop({
  store = memoryJournalStore(),
  onOrphan,
  wakeups,
  repeatsGetFirstAnswer = false,
  ...options
}: JournalShopOptions = {}) {
  const clock = options.clock ?? virtualClock()
  const mishaps: Mishap[] = []
  const sent: string[] = []
  const outcomes: JournalOutcome[] = []
  const events: JournalEvent[] = []
  const gateway = await startGateway<VirtualClock>({
    ...options,
    clock,
    sendCallback: async (url) => {
      const { status } = await callback(new URL(url).search.slice(1))
      return { status }
    },
  })
  const client = gateway.client({ clock, transport: unreliable(undiciTransport(), mishaps, sent), readAttempts: 1 })
  const journal: Journal = createJournal({
    client,
    store,
    clock,
    fraction: () => 0.5,
    repeatsGetFirstAnswer,
    handler: ({ outcome }) => void outcomes.push(outcome),
    onNotice: ({ notice }) => void outcomes.push(notice),
    onEvent: (event) => void events.push(event),
    ...(onOrphan ? { onOrphan, onOrphanNotice: onOrphan } : {}),
    ...(wakeups && { wakeups }),
  })
  const handle = createCallbackHandler({ client, inbox: journal.inbox })
  const callback = async (query: string) => await handle({ method: 'GET', query })

  return {
    gateway,
    clock,
    client,
    journal,
    store,
    outcomes,
    events,
    sent,
    callback,
    /** Happens to the next request of an operation. */
    mishap: (path: string, happen: (send: () => Promise<Exchange>) => Promise<Exchange>) => {
      mishaps.push(once(path, happen))
    },
    /** Moves the clock on in this many steps, and reconciles after each. */
    goOn: async (steps: number, stepMs: number) => {
      for (let step = 0; step < steps; step++) {
        await clock.advance(stepMs)
        await gateway.settled()
        await journal.reconcile()
      }
    },
    close: async () => {
      await journal.close()
      await gateway.close()
    },
  }
}

export type JournalShop = Awaited<ReturnType<typeof journalShop>>

/** A sale without the id that the journal makes. */
export function saleOf(changes: Parameters<typeof saleInput>[0] = {}) {
  const { clientOrderId: _, ...input } = saleInput(changes)
  return input
}

/** The request arrives, and its reply does not. */
export async function replyLost(send: () => Promise<Exchange>): Promise<Exchange> {
  await send()
  return { kind: 'lost', seen: 'the connection was reset' }
}

/** The request never arrives, and nobody can tell. */
export async function requestLost(): Promise<Exchange> {
  return { kind: 'lost', seen: 'there was no reply' }
}

/** Nothing leaves, and that is certain. */
export async function neverLeft(): Promise<Exchange> {
  return { kind: 'not-sent', seen: 'the connection was refused' }
}

function once(path: string, happen: (send: () => Promise<Exchange>) => Promise<Exchange>): Mishap {
  let isSpent = false
  return ({ url }, send) => {
    if (isSpent || !new URL(url).pathname.includes(`/${path}/`)) return undefined
    isSpent = true
    return happen(send)
  }
}

function unreliable(transport: Transport, mishaps: readonly Mishap[], sent: string[]): Transport {
  return {
    send: async (request, options) => {
      sent.push(new URL(request.url).pathname.split('/').at(-2) ?? '')
      const send = () => transport.send(request, options)
      for (const mishap of mishaps) {
        const exchange = mishap(request, send)
        if (exchange !== undefined) return await exchange
      }
      return await send()
    },
    close: () => transport.close(),
  }
}
