import type { Callback } from '@tallystick/core'
import { type Acquirer, type FaultName, simulator } from '@tallystick/gateway'
import { signControl } from '@tallystick/signing'
import { type CustomerAnswer, cards, cardWithFault, signedCallback, type TestCard } from '@tallystick/testing'
import type { ServedReply } from '../../world.ts'
import type { Page } from './browser.ts'
import { CustomerLeft } from './customer.ts'
import { hundredths, major } from './money.ts'
import { type Call, type Delivered, opens, type Proceed } from './sandbox.ts'
import type { ShopRequest } from './shop-file.ts'
import type { Trial } from './trial.ts'
import { CannotJudge, Wrong } from './verdict.ts'

/** What several scenarios have the gateway and the customer do. */

type ReplyTo = (call: Call, proceed: Proceed) => Promise<ServedReply>

/** The first request that opens an order is answered so, and none after it. */
export function onFirstOpening({ gateway }: Trial, replyTo: ReplyTo): void {
  let isFirst = true
  gateway.intercept = async (call, proceed) => {
    if (!isFirst || !opens(call)) return await proceed()
    isFirst = false
    return await replyTo(call, proceed)
  }
}

/** The same with a fault of the sandbox. */
export function faultOnFirstOpening(trial: Trial, fault: FaultName): void {
  onFirstOpening(trial, async ({ operation }, proceed) => {
    trial.note(`fault: ${fault}`)
    trial.gateway.gateway.faults.next(operation, fault)
    return await proceed()
  })
}

/**
 * Begins a payment whose reply is broken, and goes on as a customer does who sees an error: they press the button again.
 *
 * @param mayRepeat whether the reply says that nothing was carried out
 */
export async function payDespiteBrokenReply(trial: Trial, mayRepeat = false): Promise<void> {
  const page = await trial.begin()
  if (trial.openings.length === 0) throw new Wrong('the shop sends nothing to the gateway', 'lostSale')
  await trial.wait(trial.shop.file.quiet * 1000)
  if (!mayRepeat) requireNotSentBlindly(trial)
  if (trial.isDirect) {
    if (trial.canBeginAgain) await trial.begin()
  } else {
    const form = page.leadsTo ?? (await pressAgain(trial))
    if (form === undefined) trial.note('the shop leads to no form: the customer gives up')
    else await trial.comeBack({ back: await trial.payOn(form) })
  }
  await judgeAsCharged(trial, 'the reply to the payment was broken')
}

/** A payment is sent once: whoever hears nothing of it asks for its status first. */
export function requireNotSentBlindly({ gateway: { calls } }: Trial): void {
  const [first, second] = calls.flatMap((call, index) => (opens(call) ? index : []))
  if (first === undefined || second === undefined) return
  if (calls.slice(first, second).some(({ operation }) => operation === 'status')) return
  const ids = [first, second].map((index) => calls[index]?.fields.get('client_orderid'))
  const how = ids[0] === ids[1] ? 'under the same client order id' : `as ${ids[0]} and as ${ids[1]}`
  throw new Wrong(
    `the customer has pressed the button once, and the shop has sent the payment twice, ${how}, without asking for the status`,
    'chargedTwice',
  )
}

const PRESSES = 6
const BETWEEN_PRESSES_MS = 2000

async function pressAgain(trial: Trial): Promise<string | undefined> {
  if (!trial.canBeginAgain) return undefined
  for (let press = 0; press < PRESSES; press++) {
    const page = await trial.begin()
    if (page.leadsTo !== undefined) return page.leadsTo
    await trial.wait(BETWEEN_PRESSES_MS)
  }
  return undefined
}

/** Whatever the customer was charged, once at most: the shop must say so. */
export async function judgeAsCharged(trial: Trial, why: string): Promise<void> {
  await trial.chargedAtMost(1)
  const { payments } = await trial.money()
  if (payments.length === 1) await trial.paidOnce(`${why}, and the customer was charged`)
  else await trial.staysUnpaid(`${why}, and nobody has paid`)
}

/** The customer has two forms open for one order, and pays on both, if both can be paid. */
export async function payOnBoth(trial: Trial, pages: readonly Page[]): Promise<void> {
  const forms = new Set(pages.flatMap(({ leadsTo }) => leadsTo ?? []))
  if (forms.size === 0 && !trial.isDirect)
    throw new Wrong('the shop does not lead the customer to the gateway', 'lostSale')
  for (const form of forms) {
    const back = await trial.payOn(form).catch(() => trial.note('the form cannot be paid'))
    if (back !== undefined) await trial.comeBack({ back })
  }
  await trial.gateway.gateway.settled()
  await trial.paidOnce()
}

interface Ids {
  readonly clientOrderId: string
  readonly orderId: string
}

/** The ids of an order that the shop has opened. */
export async function idsOf(trial: Trial): Promise<Ids> {
  const [order] = (await trial.money()).orders
  if (order === undefined) throw new Wrong('the shop has opened no order', 'lostSale')
  return { clientOrderId: order.clientOrderId, orderId: order.orderId }
}

/** Where the shop wants to be called. */
export function callbackAddress(trial: Trial): string {
  const fields = trial.openings[0]?.fields
  const address = fields?.get('server_callback_url') || fields?.get('notify_url')
  if (address) return address
  throw new CannotJudge('the shop names no callback address, neither server_callback_url nor notify_url')
}

/** A callback about the order, as the gateway might send it. */
export async function callbackOf(trial: Trial, says: Partial<Callback>, key = trial.controlKey): Promise<string> {
  const address = callbackAddress(trial)
  const fields = trial.openings[0]?.fields
  const money = { amount: fields?.get('amount') ?? '', currency: fields?.get('currency') ?? '' }
  const query = signedCallback({ ...(await idsOf(trial)), status: 'approved', type: 'sale', ...money, ...says }, key)
  return `${address}${address.includes('?') ? '&' : '?'}${query}`
}

/** With other parameters, and the control that it has. */
export function withParameters(url: string, changes: Readonly<Record<string, string | undefined>>): string {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.searchParams.delete(name)
    else changed.searchParams.set(name, value)
  }
  return changed.href
}

/** A reply with other values, in either form. */
export function withValues(reply: ServedReply, values: Readonly<Record<string, string>>): ServedReply {
  let body = String(reply.body)
  for (const [name, value] of Object.entries(values)) {
    body = body
      .replace(new RegExp(`("${name}"\\s*:\\s*)(?:"[^"]*"|[\\d.]+)`), `$1"${value}"`)
      .replace(new RegExp(`((?:^|&)${name}=)[^&\\n]*`), `$1${value}`)
  }
  return { ...reply, body }
}

/** Neither paid nor failed, while nobody knows. */
export async function staysUndecided(trial: Trial, why: string): Promise<void> {
  await trial.staysUnpaid(why)
  const { state, answer } = await trial.state()
  if (state === 'notPaid') throw new Wrong(`${why}, and the shop says not paid: ${answer}`, 'nothingForMoney')
}

/** An order whose customer has not paid yet, so that nothing but what we send can make it paid. */
export async function openUnpaid(trial: Trial): Promise<{ readonly form: string | undefined }> {
  if (!trial.isDirect) return await trial.openForm()
  await trial.pay(cards.unknown)
  return { form: undefined }
}

/** The merchant gives money back at the gateway itself, in its back office, say. */
export async function giveBack(trial: Trial, amount?: string): Promise<void> {
  const { clientOrderId, orderId } = await idsOf(trial)
  const { login, endpointId } = trial.settings
  const currency = trial.openings[0]?.fields.get('currency') ?? ''
  const part = amount === undefined ? {} : { amount, currency }
  const terms = [login, clientOrderId, orderId, ...(amount === undefined ? [] : [String(hundredths(amount)), currency])]
  const control = signControl({ terms, key: trial.controlKey })
  const form = { login, client_orderid: clientOrderId, orderid: orderId, comment: 'given back', ...part, control }
  const { gateway } = trial.gateway
  const reply = await gateway.handle({
    method: 'POST',
    url: `/paynet/api/v2/return/${endpointId}`,
    headers: { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
  if (reply.status !== 200) throw new CannotJudge(`the gateway gives nothing back: ${reply.body}`)
  trial.note(`the merchant gives back ${amount ?? 'all'} at the gateway`)
  await gateway.settled()
}

/** The issuer takes back all that is left. */
export async function chargeBack(trial: Trial): Promise<void> {
  const { orderId } = await idsOf(trial)
  const { gateway } = trial.gateway
  const result = await gateway.chargeback(orderId)
  if (!result.ok) throw new CannotJudge(`the gateway has no chargeback for it: ${result.reason}`)
  trial.note('the issuer takes the money back')
  await gateway.settled()
}

/** A shop that only holds the amount takes it, so that it can go back. */
export async function payInFull(trial: Trial): Promise<string> {
  await trial.buy()
  await trial.paidOnce()
  const amount = (await trial.money()).payments[0]?.amount ?? ''
  const [opening] = trial.openings
  if (opening?.operation.startsWith('preauth')) {
    if (trial.shop.file.capture === undefined)
      throw new CannotJudge('the shop only holds the amount, and the file has no capture')
    await actInShop(trial, 'capture', amount)
    // The shop has to learn the outcome, and may show nothing of it.
    await trial.wait(trial.shop.file.quiet * 1000)
  }
  return amount
}

/** The shop has noted that so much of the order was taken back. */
export async function countsAsTakenBack(trial: Trial, wanted: bigint, why: string): Promise<void> {
  const { shop } = trial
  if (shop.file.outcome.takenBack === undefined) {
    const hasLeft = await trial.until(async () => (await trial.state()).state !== 'paid' || undefined, LOOK_MS)
    if (hasLeft) return trial.note('shop: no longer paid')
    throw new CannotJudge(
      'the shop still says paid, and the file has no outcome.takenBack, which would say how much is gone',
    )
  }
  let seen: string | undefined
  const reached = await trial.until(async () => {
    seen = await shop.takenBack({ ...trial.values, order: trial.order })
    return hundredths(seen ?? '0') === wanted || undefined
  })
  if (!reached)
    throw new Wrong(
      `${why}, and the shop counts ${seen ?? 'nothing'} as taken back, not ${major(wanted)}`,
      'wrongBooks',
    )
  trial.note(`shop: ${major(wanted)} taken back`)
}

const LOOK_MS = 5000

/** What the staff does in the shop. */
export type StaffAction = 'refund' | 'capture' | 'cancel'

/** The staff refunds an order in the shop, takes the amount that it holds, or releases that. */
export async function actInShop(trial: Trial, action: StaffAction, amount: string): Promise<void> {
  const request = requireInFile(trial, action)
  const money = { amount, cents: String(hundredths(amount)) }
  const answer = await trial.shop.send(request, { ...trial.values, ...money, order: trial.order })
  trial.note(`staff -> shop  ${action} ${amount}: ${'failure' in answer ? answer.failure : answer.status}`)
  await trial.gateway.gateway.settled()
}

/** @throws CannotJudge if the file does not say how the staff does it */
export function requireInFile({ shop }: Trial, action: StaffAction): ShopRequest {
  const { [action]: request } = shop.file
  if (request === undefined) throw new CannotJudge(`the file has no ${action}`)
  return request
}

export function requireRestart({ shop }: Trial): void {
  if (!shop.canRestart) throw new CannotJudge('the file has neither start nor restart')
}

/** Whoever has a callback wait for it awaits it too: what fails in a callback is a failure of the callback alone. */
export async function killAndRestart(trial: Trial): Promise<void> {
  trial.note('the shop is killed')
  await trial.shop.kill()
  await trial.shop.restart()
  trial.note('the shop runs again')
}

/** What went back to the customer, as the gateway counts it. */
export async function requireGivenBack(trial: Trial, wanted: bigint, why: string): Promise<void> {
  const { givenBack } = await trial.money()
  if (givenBack > wanted)
    throw new Wrong(`${why}, and ${major(givenBack)} went back to the customer, not ${major(wanted)}`, 'givenBackTwice')
  if (givenBack < wanted)
    throw new Wrong(
      `${why}, and only ${major(givenBack)} went back to the customer, not ${major(wanted)}`,
      'nothingForMoney',
    )
  trial.note(`gateway: ${major(wanted)} given back`)
}

/** A bank that answers every payment so. */
export function failing(status: 'filtered' | 'error'): Acquirer {
  const decide: Acquirer['execute'] = async () => ({ status, errorCode: '59', errorMessage: `Test: ${status}` })
  return { ...simulator(), execute: decide, lookup: decide }
}

/** A bank that declines to give anything back. */
export function declinesRefunds(): Acquirer {
  const bank = simulator()
  const decide =
    (of: Acquirer['execute']): Acquirer['execute'] =>
    async (request) =>
      OPENS.has(request.kind) || request.kind === 'capture'
        ? await of(request)
        : { status: 'declined', errorCode: '57', errorMessage: 'Test: not permitted' }
  return { ...bank, execute: decide(bank.execute), lookup: decide((request) => bank.execute(request)) }
}

const OPENS: ReadonlySet<string> = new Set(['sale', 'preauth'])

/** The customer pays with a card whose bank asks them, and takes their time. */
export async function throughThreeDs(trial: Trial, answer: CustomerAnswer): Promise<void> {
  const form = await leaveAtThreeDs(trial)
  await staysUndecided(trial, 'the customer is at their bank')
  await trial.comeBack({ back: await trial.payOn(form, cards.threeDs, answer) })
}

/** The customer stops at the page of the bank. */
export async function leaveAtThreeDs(trial: Trial): Promise<string> {
  const form = trial.isDirect ? (await trial.begin(cards.threeDs)).leadsTo : (await trial.openForm()).form
  if (form === undefined)
    throw new CannotJudge('the shop leads no customer through 3-D Secure: its begin has no address of the gateway')
  await payAndLeave(trial, form, cards.threeDs)
  return form
}

/** The customer pays, and leaves where they have to wait. */
async function payAndLeave(trial: Trial, form: string, card: TestCard): Promise<void> {
  try {
    await trial.payOn(form, card, 'leaves')
  } catch (error) {
    if (!(error instanceof CustomerLeft)) throw error
  }
}

/** The customer pays, and the bank does not know the outcome at first. */
export async function payUnknown(
  trial: Trial,
  fault: 'unknown-then-approved' | 'unknown-then-declined',
): Promise<void> {
  const card = cardWithFault(fault)
  if (trial.isDirect) await trial.pay(card)
  else await payAndLeave(trial, (await trial.openForm()).form, card)
  await trial.gateway.gateway.settled()
}

/** A duplicate is acknowledged like the first. @throws Wrong if not */
export async function requireAcknowledged(deliver: (url: string) => Promise<Delivered>, url: string): Promise<void> {
  const { status, failure } = await deliver(url)
  if (status === 200) return
  throw new Wrong(`a callback that comes again is answered with ${failure ?? status}, not with 200`, 'callbacksLost')
}

/** The last callback that the gateway has sent of the order, or this one. */
export function lastCallback(trial: Trial, otherwise?: string): string {
  callbackAddress(trial)
  const url = trial.gateway.callbacks.at(-1) ?? otherwise
  if (url === undefined) throw new CannotJudge('the gateway has sent no callback')
  return url
}

/** @throws Wrong if goods leave for a payment that is not the price */
export async function requireNotDelivered(trial: Trial, why: string): Promise<void> {
  const paid = await trial.until(
    async () => {
      const { state, answer } = await trial.state()
      const count = (await trial.effects()) ?? 0
      return state === 'paid' || count > 0 ? answer : undefined
    },
    2 * trial.shop.file.quiet * 1000,
  )
  if (paid !== undefined) throw new Wrong(`${why}, and the shop says paid: ${paid}`)
}

/** Where the browser comes back to. */
export function returnAddress(trial: Trial): string {
  const address = trial.openings[0]?.fields.get('redirect_url')
  if (address) return address
  throw new CannotJudge('the shop names no redirect_url')
}
