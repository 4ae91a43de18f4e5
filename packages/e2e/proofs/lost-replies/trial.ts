import { createPaymentClient, type PaymentClient, type Unknown, undiciTransport } from '@tallystick/client'
import {
  catalogue,
  defineProfile,
  type OperationKey,
  PaymentError,
  RejectedError,
  type ReplyValues,
} from '@tallystick/core'
import { GATEWAY_CODES } from '@tallystick/core/internal'
import type { TestGateway } from '@tallystick/testing'
import { flows, type Merchant } from '../../test/support/flows.ts'
import { type Fault, type FaultProxy, faultProxy } from './fault-proxy.ts'

/** A deadline that only a hanging exchange reaches, even on a busy machine. */
const PATIENT_MS = 20_000
/** The deadline for faults that end only by it. */
const IMPATIENT_MS = 100

export interface World {
  readonly gateway: TestGateway
  /** Its client has no fault in between. */
  readonly merchant: Merchant
}

/** How an operation ended if its exchange had a fault. */
export type Ending =
  | 'accepted'
  | 'rejected'
  | 'notSent'
  | 'read'
  | 'read failed'
  | 'unknown, found'
  | 'unknown, not there'
  | 'unknown, to be reviewed'

export interface Tried {
  readonly ending: Ending
  readonly findings: readonly string[]
  /** The bytes of the exchange, if nothing cut it short. */
  readonly bytes: FaultProxy['bytes']
}

/** Sends an operation through a fault, and judges what the client made of it. */
export async function attempt(key: OperationKey, fault: Fault | undefined, world: World): Promise<Tried> {
  const input = (await flows[key](world.merchant)) as OrderNames
  const port = Number(new URL(world.gateway.merchant.baseUrl).port)
  const proxy = await faultProxy(port, fault)
  const client = clientThrough(proxy, fault, world.gateway)
  try {
    const { ending, wrong } = await settle(key, input, client, world)
    const findings = [...wrong, ...sentTwice(key, proxy), ...notSentAfterAll(ending, proxy)]
    return { ending, findings, bytes: proxy.bytes }
  } finally {
    await client.close()
    await proxy.close()
  }
}

interface OrderNames {
  readonly clientOrderId?: string
  readonly orderId?: string
}

/** A client that signs for the gateway's own address, and sends through the proxy. */
function clientThrough({ port }: FaultProxy, fault: Fault | undefined, { merchant }: TestGateway): PaymentClient {
  const { send, close } = undiciTransport()
  const through: typeof send = (request, options) =>
    send({ ...request, url: request.url.replace(/:\d+\//, `:${port}/`) }, options)
  const timeoutMs = fault?.kind === 'half-open' || fault?.kind === 'drip' ? IMPATIENT_MS : PATIENT_MS
  const { baseUrl, ...credentials } = merchant
  const profile = defineProfile({ baseUrl, recurringExtensions: true })
  return createPaymentClient({
    ...credentials,
    profile,
    transport: { send: through, close },
    timeoutMs,
    readAttempts: 1,
  })
}

interface Settled {
  readonly ending: Ending
  readonly wrong: readonly string[]
}

async function settle(key: OperationKey, input: OrderNames, client: PaymentClient, world: World): Promise<Settled> {
  const method = client[key] as (input: unknown) => Promise<unknown>
  try {
    const result = (await method(input)) as Result
    await world.gateway.settled()
    if (result.outcome === undefined) return { ending: 'read', wrong: [] }
    if (result.outcome !== 'unknown') return await against(result.outcome, key, input, world)
    return await resolved(key, result, input, world)
  } catch (error) {
    if (catalogue[key].effect === 'reads' && error instanceof PaymentError) return { ending: 'read failed', wrong: [] }
    throw error
  }
}

interface Result {
  readonly outcome?: 'accepted' | 'rejected' | 'notSent' | 'unknown'
  readonly resolve?: (options: Parameters<Unknown['resolve']>[0]) => Promise<ReplyValues<'status'>>
}

/** Compares what the client claims with what the gateway has. */
async function against(
  outcome: 'accepted' | 'rejected' | 'notSent',
  key: OperationKey,
  input: OrderNames,
  world: World,
): Promise<Settled> {
  if (!makesOrder(key, input)) return { ending: outcome, wrong: [] }
  const isThere = (await statusOf(input, world)) !== undefined
  if (isThere === (outcome === 'accepted')) return { ending: outcome, wrong: [] }
  return { ending: outcome, wrong: [`${outcome}, and the order is ${isThere ? 'there' : 'not there'}`] }
}

/** Resolves an unknown outcome: its result must be what the gateway has. */
async function resolved(key: OperationKey, { resolve }: Result, input: OrderNames, world: World): Promise<Settled> {
  if (resolve === undefined) {
    const hasNone = catalogue[key].effect === 'stores-card' || input.clientOrderId === undefined
    const wrong = hasNone ? [] : ['unknown, and there is no way to ask']
    return { ending: 'unknown, to be reviewed', wrong }
  }
  const reply = await known(resolve({ timeoutMs: PATIENT_MS }))
  const truth = await statusOf(input, world)
  const wrong = reply?.orderId === truth?.orderId ? [] : ['what it resolved to is not what the gateway has']
  return { ending: reply === undefined ? 'unknown, not there' : 'unknown, found', wrong }
}

function statusOf({ clientOrderId = '', orderId }: OrderNames, { merchant }: World) {
  return known(merchant.client.status({ clientOrderId, orderId }))
}

/** The status, or `undefined` if the gateway says that there is no such order. Any other refusal is thrown. */
async function known(asking: Promise<ReplyValues<'status'>>): Promise<ReplyValues<'status'> | undefined> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof RejectedError && error.errorCode === GATEWAY_CODES.noSuchOrder) return undefined
    throw error
  }
}

/**
 * Whether the operation makes an order that one status shows. Rows of charges make one each. A card reference and a recurring
 * payment make none that a status knows, nor does a capture.
 */
function makesOrder(key: OperationKey, { clientOrderId, orderId }: OrderNames): boolean {
  return catalogue[key].effect === 'moves-money' && clientOrderId !== undefined && orderId === undefined
}

function sentTwice(key: OperationKey, { received }: FaultProxy): string[] {
  const times = received().split(`POST /paynet${catalogue[key].path}/`).length - 1
  return times > 1 ? [`it was sent ${times} times`] : []
}

function notSentAfterAll(ending: Ending, { received }: FaultProxy): string[] {
  return ending === 'notSent' && received() !== '' ? ['it is said not to be sent, and bytes of it came'] : []
}
