/** Whichever database statement fails, no order is lost, doubled or half done. */
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { PaymentClient, Transport } from '@tallystick/client'
import { catalogue, type OperationKey, operationKeys, RejectedError } from '@tallystick/core'
import { GATEWAY_CODES } from '@tallystick/core/internal'
import { readVaultKeys, virtualClock } from '@tallystick/gateway'
import { sqliteStore } from '@tallystick/gateway/sqlite'
import { StoreError } from '@tallystick/gateway/store'
import { counted, type Order, type Outcome, prove, Random } from '@tallystick/proof-kit'
import { cards, startGateway } from '@tallystick/testing'
import {
  type FailingDatabase,
  type Fault,
  failingDatabase,
  from,
  once,
  PlannedFailure,
} from '../../gateway/test/support/failing-database.ts'
import { askDirectly } from '../test/support/ask-directly.ts'
import { flows } from '../test/support/flows.ts'
import { bank, type Entry, tokenizeCards } from './harness/bank.ts'
import { checkBooks } from './harness/check-books.ts'
import { newCredentials } from './harness/processes.ts'

const BEGIN = Date.UTC(2030, 0, 1)
/** After this time what an acquirer did not know has been looked up, and what was put off is due. */
const LATER_MS = 3_600_000
const { controlKey, vaultKeys } = newCredentials().gateway

/** What fails while an operation is carried out, and what happens next. */
interface Attempt {
  /** Absent: nothing fails. */
  readonly fault?: Fault
  /** Whether the process ends at once, or goes on and has time to repair what failed. */
  readonly isEnded: boolean
  /** The fault of the next process, which may not get far; another one follows. Absent: there is no process in between. */
  readonly nextFault?: Fault
}

type Attempted = Awaited<ReturnType<typeof attempt>>

interface Way {
  readonly attemptAt: (n: number, statements: number) => Attempt
  /** How many statements there are to fail. Default: those of the operation. */
  readonly most?: (whole: Attempted) => number
}

const WAYS: Readonly<Record<string, Way>> = {
  'fails once, and the process goes on': { attemptAt: (n) => ({ fault: once(n), isEnded: false }) },
  'fails once, and the process ends': { attemptAt: (n) => ({ fault: once(n), isEnded: true }) },
  'fails as all do from then on, and the process ends': { attemptAt: (n) => ({ fault: from(n), isEnded: true }) },
  'of the next start fails, after a process that was cut off halfway': {
    attemptAt: (n, statements) => ({ fault: from(Math.ceil(statements / 2)), isEnded: true, nextFault: once(n) }),
    // Finishing what was left half done takes as many again.
    most: ({ starting, statements }) => starting + statements,
  },
}

await prove({
  name: 'failing-statements',
  meaning:
    'Each operation is carried out while the n-th statement of its database fails, for every n. Then, in the same process\n' +
    'or in the next: what was acknowledged is there, nothing was sent to the bank twice, the books are right, and every\n' +
    'operation has its outcome and its callback.',
  runs: { of: 'statements of each operation and way, at most', long: 1000, quick: 3 },
  run: walk,
})

async function walk(order: Order): Promise<Outcome> {
  const findings: string[] = []
  let failures = 0
  for (const [at, key] of operationKeys.entries()) {
    const walked = await walkOperation(key, order)
    failures += walked.failures
    findings.push(...walked.findings)
    order.progress(at + 1, operationKeys.length)
  }
  return {
    figure:
      counted`${failures} failed statements in ${operationKeys.length} operations: ` +
      counted`${findings.length} orders lost, doubled, wrong or without an outcome`,
    findings,
  }
}

async function walkOperation(key: OperationKey, { runs, random, folder }: Order) {
  const prepared = await prepare(key, join(folder, `${key}.db`))
  const whole = await attempt(prepared, join(folder, `${key}-whole.db`), { isEnded: false })
  const findings = whole.findings.map((finding) => `${key}: without a failure: ${finding}`)
  let failures = 0
  for (const [way, { attemptAt, most }] of Object.entries(WAYS)) {
    const all = Array.from({ length: most?.(whole) ?? whole.statements }, (_, index) => index + 1)
    for (const n of random.sample(all, runs)) {
      const file = join(folder, `${key}-${failures++}.db`)
      const attempted = await attempt(prepared, file, attemptAt(n, whole.statements))
      findings.push(...attempted.findings.map((finding) => `${key}: statement ${n} ${way}: ${finding}`))
      rmSync(file)
    }
  }
  return { failures, findings }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** An operation with all its prerequisites met, and the file and the bank as they are then. */
async function prepare(key: OperationKey, file: string) {
  const journal: Entry[] = []
  const { gateway, merchant } = await sceneOn({ file, journal, now: BEGIN })
  const input = await flows[key](merchant)
  await gateway.settled()
  await gateway.close()
  return { key, input, file, journal }
}

/** Sends the operation while a statement fails; then finds out, in a new process, what became of it. */
async function attempt({ key, input, ...prepared }: Prepared, file: string, { fault, isEnded, nextFault }: Attempt) {
  copyFileSync(prepared.file, file)
  const journal = [...prepared.journal]
  const failing = failingDatabase()
  const before = await sceneOn({ file, journal, now: BEGIN + 1000, open: failing.open })
  await before.gateway.settled()
  /** The statements of a start; below those of the operation and of what followed it. */
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
  const after = await sceneOn({ file, journal, now: BEGIN + LATER_MS })
  try {
    await after.gateway.settled()
    await after.gateway.clock.advance('1h')
    const again = await askAgain({ key, input }, answer, after)
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
  const scene = await sceneOn({ file, journal, now: BEGIN + LATER_MS / 2, open: failing.open }).catch(onlyOfStore)
  await scene?.gateway.settled()
  await scene?.gateway.clock.advance('1m')
  failing.fail()
  failing.crash()
  await scene?.gateway.close().catch(() => {})
}

/** The store did not open: nothing was begun. */
function onlyOfStore(error: unknown): undefined {
  if (!(error instanceof StoreError || error instanceof PlannedFailure)) throw error
}

/** The process goes on: an hour later nothing may be left to do. */
async function afterwards(scene: Scene, failing: FailingDatabase, journal: readonly Entry[]) {
  failing.fail()
  await scene.gateway.clock.advance('1h')
  await scene.gateway.settled()
  const findings = await wrongBooks(scene, journal)
  return findings.map((finding) => `without a restart: ${finding}`)
}

interface Result {
  readonly outcome?: string
  readonly reply?: { readonly orderId?: string }
}

async function send(key: OperationKey, input: unknown, client: PaymentClient) {
  const method = client[key] as (input: unknown) => Promise<Result>
  try {
    const { outcome = 'read', reply } = await method(input)
    return { outcome, orderId: reply?.orderId }
  } catch {
    return { outcome: 'threw', orderId: undefined }
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
  { key, input }: Pick<Prepared, 'key' | 'input'>,
  answer: Awaited<ReturnType<typeof send>>,
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
  return (await checkBooks(store, journal, () => true)).findings
}

interface SceneOptions {
  readonly file: string
  /** The journal of the bank, which outlives the gateway. */
  readonly journal: Entry[]
  /** The time of the clock. */
  readonly now: number
  readonly open?: FailingDatabase['open']
}

type Scene = Awaited<ReturnType<typeof sceneOn>>

/** A gateway on a file and on a clock that is moved by hand, with a merchant that calls it without a network. */
async function sceneOn({ file, journal, now, open }: SceneOptions) {
  const store = sqliteStore({ file, open })
  const random = new Random(journal.length)
  const gateway = await startGateway({
    socket: false,
    sandbox: false,
    maxTriesPerCard: 1_000_000,
    controlKey,
    store,
    vaultKeys: readVaultKeys(vaultKeys),
    acquirer: { ...bank({ journal, random }), tokenize: tokenizeCards(random) },
    clock: virtualClock(now),
    sendCallback: async () => ({ status: 200 }),
  })
  /** The HTTP statuses of the answers. */
  const statuses: number[] = []
  const transport: Transport = {
    send: async (request) => {
      const exchange = await askDirectly(gateway, request)
      statuses.push(exchange.httpStatus)
      return exchange
    },
    close: async () => {},
  }
  // One attempt, so that a failure shows as it is: nobody moves the clock while a read waits for the next.
  const client = gateway.client({ readAttempts: 1, transport })
  const notifyUrl = 'https://shop.example.com/callback'
  return { gateway, store, statuses, merchant: { client, card: cards.approved, notifyUrl, settled: gateway.settled } }
}
