/** An exchange cut at any byte is resolved by status checks, or reviewed, and nothing is sent twice. */
import { type OperationKey, operationKeys } from '@tallystick/core'
import { atOnce, counted, describeError, type Order, type Outcome, prove, Random } from '@tallystick/proof-kit'
import { cards, startGateway } from '@tallystick/testing'
import { type Action, actionsIn, bank, type Entry, tokenizeCards } from './harness/bank.ts'
import { checkCalls, repeated } from './harness/check-books.ts'
import type { Fault, FaultKind } from './lost-replies/fault-proxy.ts'
import { attempt, type Tried, type World } from './lost-replies/trial.ts'

/** Exchanges at a time: those that wait for their deadline cost nothing. */
const AT_ONCE = 16
/** The most points for faults that have to wait for a deadline. */
const MOST_WAITS = 40
/** Actions that change an existing order. */
const MODIFIES: ReadonlySet<Action['kind']> = new Set(['capture', 'reversal', 'cancel'])

await prove({
  name: 'lost-replies',
  meaning:
    'Each operation is sent over a socket through a proxy that cuts the connection at byte n of the request or of the\n' +
    'reply, resets it, lets it hang, slows it down or doubles it. Whatever the client makes of it is held against what the\n' +
    'gateway has: every outcome is found out by status, or has none to ask and is left to be reviewed. Nothing is sent\n' +
    'twice, and the bank carries nothing out twice.',
  runs: { of: 'points of each operation, fault and direction, at most', long: 2000, quick: 2 },
  run: async (order) => {
    const journal: Entry[] = []
    const random = new Random(order.seed)
    const gateway = await startGateway({ acquirer: { ...bank({ journal, random }), tokenize: tokenizeCards(random) } })
    order.after(gateway.close)
    const merchant = { client: gateway.client(), card: cards.approved, settled: () => gateway.settled() }
    return await walk(order, { gateway, merchant }, journal)
  },
})

interface Trial {
  readonly key: OperationKey
  readonly fault: Fault
}

async function walk(order: Order, world: World, journal: readonly Entry[]): Promise<Outcome> {
  const trials: Trial[] = []
  for (const key of operationKeys) {
    const { bytes } = await attempt(key, undefined, world)
    trials.push(...faultsOf(bytes, order).map((fault) => ({ key, fault })))
  }
  const endings = new Map<string, number>()
  const findings: string[] = []
  let done = 0
  await atOnce(AT_ONCE, order.random.shuffle(trials), async ({ key, fault }) => {
    const { ending, findings: found } = await attempt(key, fault, world).catch(thrown)
    endings.set(ending, (endings.get(ending) ?? 0) + 1)
    const where = `${key}: ${fault.kind} at byte ${fault.at} of the ${fault.direction}`
    findings.push(...found.map((text) => `${where}: ${text}`))
    order.progress(++done, trials.length)
  })
  findings.push(...doneTwice(journal))
  const told = [...endings].sort(([a], [b]) => (a < b ? -1 : 1)).map(([ending, times]) => counted`${times} ${ending}`)
  return {
    figure:
      counted`${trials.length} faults in ${operationKeys.length} operations: ${told.join('; ')}; ` +
      counted`${findings.length} wrong, lost or sent twice`,
    findings,
  }
}

function thrown(error: unknown): Pick<Tried, 'findings'> & { readonly ending: string } {
  return { ending: 'thrown', findings: [describeError(error)] }
}

/** The points at which an exchange of this many bytes is disturbed. */
function faultsOf(bytes: Tried['bytes'], { runs, random }: Order): Fault[] {
  const points = (direction: Fault['direction'], kind: FaultKind, most: number): readonly Fault[] => {
    const all = Array.from({ length: bytes[direction] + 1 }, (_, at) => ({ kind, direction, at }))
    return random.sample(all, most)
  }
  const waits = Math.min(runs, MOST_WAITS)
  return [
    ...(['request', 'response'] as const).flatMap((direction) => [
      ...points(direction, 'cut', runs),
      ...points(direction, 'reset', runs),
      ...points(direction, 'half-open', waits),
    ]),
    ...points('response', 'drip', waits),
    { kind: 'duplicate', direction: 'request', at: 0 },
  ]
}

/**
 * What the bank carried out twice for an order. Only operations that make an order count: if the network doubles a partial
 * capture, the gateway sees two of them, which TLS prevents and no client can.
 */
function doneTwice(journal: readonly Entry[]): readonly string[] {
  const made = [...actionsIn(journal).values()].filter(({ kind }) => !MODIFIES.has(kind))
  const twice = repeated(made.map(({ did, orderId, kind }) => `${did} ${kind} of ${orderId}`))
  return [...checkCalls(journal), ...twice.map((action) => `the bank did ${action} twice`)]
}
