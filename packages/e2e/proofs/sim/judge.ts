import type { Intent, JournalOutcome } from '@tallystick/client/ports'
import { type ReplyValues, toMinorUnits } from '@tallystick/core'
import type { StoredOrder } from '@tallystick/gateway/store'
import { keyText } from '../../../journal/src/intents/business-key.ts'
import { type Action, actionsIn } from '../harness/bank.ts'
import type { Effects } from './killable.ts'
import { makesOrder, type Step } from './merchant.ts'
import type { Request } from './network.ts'
import { LOGIN, type World } from './world.ts'

const ENDED: readonly Intent['state'][] = ['FINAL', 'REJECTED', 'PRESUMED_ABSENT', 'REVIEW', 'NOT_SENT', 'PREPARED']
/** The longest time of a status check before the next attempt. */
const LOOK_MS = 25_000

const MOST_ORDERS = 100

/** Compares what the journal believes with what the bank has done. */
export async function judge(world: World): Promise<readonly string[]> {
  const findings: string[] = []
  // At an endpoint without any order nothing is ever presumed absent.
  const known = new Set((await world.orders.recentOrders(LOGIN, MOST_ORDERS)).map(({ endpointId }) => endpointId))
  for (const { opening, others } of world.scenarios) {
    const attemptsOf = new Map<Step, readonly Intent[]>()
    for (const step of [opening, ...others]) attemptsOf.set(step, await world.store.attemptsOf(keyText(step.key)))
    const all = [...attemptsOf.values()].flat()
    const orders = await Promise.all(all.map((intent) => orderOf(intent, world)))
    for (const [step, attempts] of attemptsOf) {
      if (makesOrder(step)) findings.push(...(await judgeOpening(step, attempts, world)))
      else if (step.operation !== 'createCardRef') findings.push(...judgeChange(step, attempts, orders, world))
    }
    findings.push(...all.flatMap((intent) => judgeIntent(intent, known, world)))
    for (const intent of all) {
      if (isTaken(intent) && intent.kind === 'opening')
        findings.push(...judgeAccount(intent, all, await shownOf(intent, world), world.effects))
    }
  }
  return findings
}

/** Whether the journal believes that the intent moved money, or may do so. */
function isTaken({ state, status }: Intent): boolean {
  return state === 'FINAL' && (status === 'approved' || status === 'checked')
}

async function judgeOpening({ key, amount = '', operation }: Step, attempts: readonly Intent[], world: World) {
  const findings: string[] = []
  const name = keyText(key)
  const charged: Intent[] = []
  let arrivedAt = Number.POSITIVE_INFINITY
  for (const intent of attempts) {
    const { clientOrderId, state, attempt } = intent
    const order = await orderOf(intent, world)
    const charges = isOverAgain(intent, order) ? [] : carriedOut({ key, amount, operation }, order, world)
    if (charges.length > 1) findings.push(`${name}: ${charges.length} charges of one order`)
    if (charges.length > 0 !== isTaken(intent))
      findings.push(`${name}: ${state} ${intent.status}, and the bank has ${charges.length} charges`)
    if (order !== undefined && state !== 'FINAL') findings.push(`${name}: ${state}, and the gateway has the order`)
    if (charges.some((charge) => String(charge.amount) !== toMinorUnits(amount)))
      findings.push(`${name}: another amount`)
    if (arrivedAt + LOOK_MS < (world.wire.sentAt(clientOrderId) ?? 0))
      findings.push(`${name}: attempt ${attempt} was sent, and one before it had arrived and was charged`)
    if (charges.length > 0) {
      charged.push(intent)
      arrivedAt = Math.min(arrivedAt, order?.createdAt ?? arrivedAt)
    }
  }
  const isTold = world.events.some(
    (event) => event.type === 'DOUBLE_CHARGE_SUSPECTED' && event.intents[0]?.businessKey === name,
  )
  const kept = charged.filter((intent) => !isGivenBack(intent, world))
  return kept.length > 1 && !isTold ? [...findings, `${name}: charged twice, and nobody was told`] : findings
}

function isGivenBack({ clientOrderId }: Intent, { effects }: World): boolean {
  return effects.findLast((effect) => effect.clientOrderId === clientOrderId)?.kept === '0'
}

/** Whether the check of a payout has expired: it then shows as declined. */
function isOverAgain({ status }: Intent, order: StoredOrder | undefined): boolean {
  return status === 'declined' && order?.operations[0]?.outcome.isExpired === true
}

/** A change in review may have taken effect; every other must be as the journal says. */
function judgeChange(
  change: Step,
  attempts: readonly Intent[],
  orders: readonly (StoredOrder | undefined)[],
  world: World,
) {
  const name = keyText(change.key)
  const { length } = [...new Set(orders)].flatMap((order) => carriedOut(change, order, world))
  const believed = attempts.filter(({ state, status }) => state === 'FINAL' && status === 'approved').length
  const open = attempts.filter(({ state }) => state === 'REVIEW').length
  if (length > 1) return [`${name}: carried out ${length} times`]
  const isRight = length >= believed && length <= believed + open
  return isRight ? [] : [`${name}: ${length} carried out, ${believed} believed, ${open} in review`]
}

function judgeIntent(intent: Intent, known: ReadonlySet<string | undefined>, { effects }: World) {
  const { intentId, businessKey, state, evidence } = intent
  const told = effects.filter((effect) => effect.kind === 'outcome' && effect.intentId === intentId).length
  const findings: string[] = []
  const mayBeOpen = state === 'UNKNOWN' && !known.has(intent.endpointId)
  if (!ENDED.includes(state) && !mayBeOpen) findings.push(`${businessKey}: still ${state}: ${evidence.at(-1)?.seen}`)
  if (told !== (state === 'FINAL' ? 1 : 0))
    findings.push(`${businessKey}: ${state}, and the handler was told ${told} times`)
  return findings
}

async function orderOf({ clientOrderId }: Intent, { orders }: World): Promise<StoredOrder | undefined> {
  return await orders.findOrder({ login: LOGIN, clientOrderId })
}

/** What the gateway's status shows of an order. */
async function shownOf({ clientOrderId, orderId, endpointId }: Intent, { inspector }: World) {
  return await inspector.status({ clientOrderId, orderId }, { endpointId })
}

/** Whether the merchant's own account of an order, by all outcomes of the handler, is what the gateway shows of it. */
export function judgeAccount(
  opening: Intent,
  changes: readonly Intent[],
  shown: ReplyValues<'status'>,
  effects: Effects,
) {
  const { businessKey, clientOrderId, orderId, amounts } = opening
  const told = effects.filter((effect) => effect.clientOrderId === clientOrderId)
  const findings: string[] = []
  if (told.some(({ number }, index) => number !== index + 1)) findings.push(`${businessKey}: told out of order`)
  // A change in review, or settled there other than by its status, is not in the account.
  const isOpen = changes.some((change) => change.orderId === orderId && change.reviewReason !== undefined)
  if (isOpen) return findings
  const kept = shown.amount === undefined ? undefined : toMinorUnits(shown.amount)
  const last = told.findLast((outcome) => outcome.kept !== undefined)?.kept
  if (last !== kept)
    findings.push(`${businessKey}: ${last} is kept by what was told last, and the gateway shows ${kept}`)
  const opened = opening.operation === 'payoutCheck' ? 0n : BigInt(amounts[0] ?? 0)
  const left = String(told.reduce((sum, outcome) => sum + changeBy(outcome), opened))
  if (left !== kept)
    findings.push(`${businessKey}: ${left} is left of all that was told, and the gateway shows ${kept}`)
  return findings
}

/** By how much an outcome has changed the amount kept. */
function changeBy({ kind, operation, status, amount = '0' }: JournalOutcome): bigint {
  if (kind === 'notice') return -BigInt(amount)
  if (status !== 'approved') return 0n
  if (operation === 'payoutPay') return BigInt(amount)
  return operation === 'return' || operation === 'void' ? -BigInt(amount) : 0n
}

/** What the bank has carried out for a step at an order: no two steps of a scenario ask for the same. */
export function carriedOut(
  step: Step,
  order: StoredOrder | undefined,
  { book, wire }: Pick<World, 'book' | 'wire'>,
): readonly Action[] {
  const actions = actionsIn(book)
  const made = order?.operations.filter(({ serialNumber }) => isAskedBy(step, wire.askedBy(serialNumber))) ?? []
  return made.flatMap(({ id }) => actions.get(id) ?? []).filter(({ decision }) => decision.status === 'approved')
}

function isAskedBy({ operation, amount }: Step, request: Request | undefined): boolean {
  return request?.path === PATHS[operation] && request.amount === amount
}

const PATHS: Readonly<Record<Step['operation'], string>> = {
  sale: 'sale',
  preauth: 'preauth',
  payout: 'payout',
  payoutCheck: 'payout-check',
  capture: 'capture',
  void: 'void',
  return: 'return',
  payoutPay: 'payout-pay',
  createCardRef: 'create-card-ref',
  makeRebill: 'make-rebill',
}
