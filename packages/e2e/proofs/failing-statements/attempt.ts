import { copyFileSync } from 'node:fs'
import { createPaymentClient, type PaymentClient, type Transport } from '@tallystick/client'
import { catalogue, defineProfile, type OperationKey, RejectedError } from '@tallystick/core'
import { GATEWAY_CODES } from '@tallystick/core/internal'
import {
  createGateway,
  type Gateway,
  newVaultKeys,
  readVaultKeys,
  type VirtualClock,
  virtualClock,
} from '@tallystick/gateway'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { type Store, StoreError } from '@tallystick/gateway/store'
import { Random } from '@tallystick/proof-kit'
import { cards, testControlKey, testKeyPair } from '@tallystick/testing'
import {
  type FailingDatabase,
  type Fault,
  failingDatabase,
  PlannedFailure,
} from '../../../gateway/test/support/failing-database.ts'
import { askDirectly } from '../../test/support/ask-directly.ts'
import { flows, type Merchant } from '../../test/support/flows.ts'
import { bank, type Entry, tokenizeCards } from '../harness/bank.ts'
import { checkBooks } from '../harness/check-books.ts'
import { ENDPOINT, LOGIN } from '../harness/processes.ts'

const BEGIN = Date.UTC(2030, 0, 1)
/** After this time what an acquirer did not know has been looked up, and what was put off is due. */
const LATER_MS = 3_600_000

/** An operation with all its prerequisites met, and the file and the bank as they are then. */
export interface Prepared {
  readonly key: OperationKey
  readonly input: unknown
  readonly file: string
  readonly journal: readonly Entry[]
}

export async function prepare(key: OperationKey, file: string): Promise<Prepared> {
  const journal: Entry[] = []
  const { gateway, merchant } = sceneOn({ file, journal, now: BEGIN })
  const input = await flows[key](merchant)
  await gateway.settled()
  await gateway.close()
  return { key, input, file, journal }
}

export interface Attempt {
  readonly file: string
  /** Absent: nothing fails. */
  readonly fault?: Fault | undefined
  /** Whether the process ends at once, or goes on and has time to repair what failed. */
  readonly isEnded: boolean
  /** The fault of the next process, which may not get far; another one follows. Absent: there is no process in between. */
  readonly nextFault?: Fault | undefined
}

export interface Attempted {
  /** Statements that the operation and what followed it executed. */
  readonly statements: number
  /** Statements that a start executed. */
  readonly starting: number
  readonly findings: readonly string[]
}

/** Sends the operation while a statement fails; then finds out, in a new process, what became of it. */
export async function attempt(
  { key, input, ...from }: Prepared,
  { file, fault, isEnded, nextFault }: Attempt,
): Promise<Attempted> {
  copyFileSync(from.file, file)
  const journal = [...from.journal]
  const failing = failingDatabase()
  const before = sceneOn({ file, journal, now: BEGIN + 1000, open: failing.open })
  await before.gateway.settled()
  const starting = failing.executed()
  failing.fail(fault)
  const answer = await send(key, input, before.merchant.client)
  await before.gateway.settled()
  const statements = failing.executed()
  const told = [...wrongAnswer(before), ...(isEnded ? [] : await afterwards(before, failing, journal))]
  failing.fail()
  failing.crash()
  await before.gateway.close().catch(() => {})
  if (nextFault !== undefined) await startAndEnd(file, journal, nextFault)
  const after = sceneOn({ file, journal, now: BEGIN + LATER_MS })
  try {
    await after.gateway.settled()
    await after.gateway.clock.advance('1h')
    const again = await askAgain({ key, input, answer }, after)
    await after.gateway.settled()
    return { statements, starting, findings: [...told, ...again, ...(await wrongBooks(after, journal))] }
  } finally {
    await after.gateway.close()
  }
}

/** Runs a process in which a statement fails while it starts, or while it takes up what the last one left. */
async function startAndEnd(file: string, journal: Entry[], fault: Fault): Promise<void> {
  const failing = failingDatabase()
  failing.fail(fault)
  const scene = startedOrNot({ file, journal, now: BEGIN + LATER_MS / 2, open: failing.open })
  await scene?.gateway.settled()
  await scene?.gateway.clock.advance('1m')
  failing.fail()
  failing.crash()
  await scene?.gateway.close().catch(() => {})
}

/** Opens a scene. `undefined`: the store did not open and threw, so nothing was begun. */
function startedOrNot(options: SceneOptions): Scene | undefined {
  try {
    return sceneOn(options)
  } catch (error) {
    if (error instanceof StoreError || error instanceof PlannedFailure) return undefined
    throw error
  }
}

/** The process goes on: an hour later nothing may be left to do. */
async function afterwards(
  scene: Scene,
  failing: FailingDatabase,
  journal: readonly Entry[],
): Promise<readonly string[]> {
  failing.fail()
  await scene.gateway.clock.advance('1h')
  await scene.gateway.settled()
  const findings = await wrongBooks(scene, journal)
  return findings.map((finding) => `without a restart: ${finding}`)
}

interface Answer {
  readonly outcome: string
  readonly orderId?: string | undefined
}

async function send(key: OperationKey, input: unknown, client: PaymentClient): Promise<Answer> {
  const method = client[key] as (input: unknown) => Promise<unknown>
  try {
    const result = (await method(input)) as {
      readonly outcome?: string
      readonly reply?: { readonly orderId?: string }
    }
    return { outcome: result.outcome ?? 'read', orderId: result.reply?.orderId }
  } catch {
    return { outcome: 'threw' }
  }
}

/** An internal failure must be answered as one, and never as a fault of the request. */
function wrongAnswer({ statuses }: Scene): string[] {
  const last = statuses.at(-1) ?? 0
  return last === 200 || last === 500 ? [] : [`answered with HTTP ${last}`]
}

/**
 * What was acknowledged must exist under its order id. An operation that opens an order is sent once more, as by a caller who got
 * no answer: it gets the first answer, or its order now.
 */
async function askAgain(
  { key, input, answer }: Pick<Prepared, 'key' | 'input'> & { readonly answer: Answer },
  { merchant: { client } }: Scene,
): Promise<string[]> {
  const { clientOrderId } = input as { readonly clientOrderId?: string }
  if (clientOrderId === undefined || key === 'createRecurringPayment') return []
  const isAcknowledged = answer.orderId !== undefined
  const status = await client.status({ clientOrderId }).catch((error: unknown) => error)
  if (status instanceof RejectedError) {
    const isMissing = status.errorCode === GATEWAY_CODES.noSuchOrder && !isAcknowledged
    if (!isMissing) return [`status was refused: ${status.message}`]
  } else if (status instanceof Error) return [`status failed: ${status.message}`]
  if (catalogue[key].effect !== 'moves-money' || 'orderId' in (input as object)) return []
  const again = await send(key, input, client)
  if (again.outcome !== 'accepted') return [`asked for again, it was ${again.outcome}`]
  return isAcknowledged && again.orderId !== answer.orderId
    ? [`acknowledged as ${answer.orderId} and as ${again.orderId}`]
    : []
}

/** Callbacks have to be acknowledged an hour later. */
async function wrongBooks({ store }: Scene, journal: readonly Entry[]): Promise<readonly string[]> {
  return (await checkBooks(store, LOGIN, journal, () => true)).findings
}

const ADDRESS = 'https://gate.example.com/paynet'
const controlKey = testControlKey()
const { publicKey, privateKey } = testKeyPair()
const vaultKeys = readVaultKeys(newVaultKeys((bytes) => void crypto.getRandomValues(bytes), 'proof').reveal())

/** A gateway on a file and on a clock that is moved by hand, with a merchant that calls it without a network. */
interface Scene {
  readonly gateway: Gateway<VirtualClock>
  readonly store: Store
  readonly merchant: Merchant
  /** The HTTP statuses of the answers. */
  readonly statuses: readonly number[]
}

interface SceneOptions {
  readonly file: string
  /** The journal of the bank, which outlives the gateway. */
  readonly journal: Entry[]
  /** The time of the clock. */
  readonly now: number
  readonly open?: FailingDatabase['open']
}

function sceneOn({ file, journal, now, open }: SceneOptions): Scene {
  const clock = virtualClock(now)
  const store = sqliteStore({ file, open })
  const random = new Random(journal.length)
  const gateway = createGateway({
    maxTriesPerCard: 1_000_000,
    publicUrl: ADDRESS,
    merchants: [{ login: LOGIN, controlKey, publicKey, endpoints: [{ id: ENDPOINT }] }],
    store,
    vaultKeys,
    acquirer: { ...bank({ journal, random }), tokenize: tokenizeCards(random) },
    clock,
    sendCallback: async () => ({ status: 200 }),
  })
  const statuses: number[] = []
  const transport = transportTo(gateway, statuses)
  const client = createPaymentClient({
    login: LOGIN,
    endpointId: ENDPOINT,
    controlKey,
    privateKey,
    profile: defineProfile({ baseUrl: ADDRESS, recurringExtensions: true }),
    clock,
    // One attempt, so that a failure shows as it is: nobody moves the clock while a read waits for the next.
    readAttempts: 1,
    transport,
  })
  return {
    gateway,
    store,
    merchant: merchantOf(client, gateway),
    statuses,
  }
}

function merchantOf(client: PaymentClient, gateway: Gateway): Merchant {
  const notifyUrl = 'https://shop.example.com/callback'
  return { client, card: cards.approved, notifyUrl, settled: () => gateway.settled() }
}

function transportTo(gateway: Gateway, statuses: number[]): Transport {
  return {
    send: async (request) => {
      const exchange = await askDirectly(gateway, request)
      statuses.push(exchange.httpStatus)
      return exchange
    },
    close: async () => {},
  }
}
