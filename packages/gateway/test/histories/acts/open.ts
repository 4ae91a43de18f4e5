import type { FaultName } from '../../../src/index.ts'
import type { Fields } from '../../support/signed-requests.ts'
import { NOTIFY_URL, SERVER_URL } from '../addresses.ts'
import { endpointsBy, loginOf, routed } from '../merchants.ts'
import { major, type Opening, type PaperOrder, paperOrder } from '../paper-order.ts'
import { only, same } from '../same.ts'
import type { StepOf } from '../steps.ts'
import type { Sent, Table } from '../table.ts'
import { particulars } from './particulars.ts'

const KIND_OF: Readonly<Record<string, Opening>> = {
  sale: 'sale',
  'sale-form': 'sale',
  'payment-form': 'sale',
  'make-rebill': 'sale',
  'make-rebill-sale': 'sale',
  preauth: 'preauth',
  'preauth-form': 'preauth',
  'make-rebill-preauth': 'preauth',
  'account-verification': 'account-verification',
  'account-verification-form': 'account-verification',
  'pan-eligibility/send': 'account-verification',
  payout: 'payout',
  'payout-form': 'payout',
  'payout-check': 'payout-check',
  transfer: 'transfer',
  'transfer-by-ref': 'transfer',
}

/** A request that opens an order, right or wrong. */
export async function open(step: StepOf<'open'>, table: Table): Promise<void> {
  const wanted = requestOf(step, table)
  const { path, wire, target, fields } = wanted
  const before = table.sent.find((sent) => !table.mayRepeat && isAlike(sent, wanted))
  const codes = codesFor(step, wanted, table)
  if (step.fault !== undefined && !table.mayRepeat) await askInVain(wanted, step.fault, table)
  const { read, request, reply } = await table.ask(wire, target, fields)
  if (step.mood.isShut && !isForm(path) && before === undefined && codes.length === 0) {
    same(`open ${path} while the bank is shut`, [reply.status, read['error-code']], [500, '6'])
    return table.count('the bank was shut')
  }
  if (before !== undefined) return same('a repeat gets the first answer', reply.body, before.reply)
  if (codes.length > 0) return table.expectCode(`open ${path}`, read, codes)
  table.orders.push(orderOf(step, wanted, read, table))
  table.sent.push({ wire, target, fields, request, controlKey: table.controlKeyAt(target), reply: reply.body })
  table.count(`open ${path}`)
}

type Wanted = ReturnType<typeof requestOf>

function requestOf(step: StepOf<'open'>, table: Table) {
  const { path } = step
  const target = table.served(step.target)
  const login = loginOf(target)
  const amount = BigInt(step.cents)
  const currency = KIND_OF[path] === 'account-verification' ? undefined : step.currency
  const clientOrderId = nameOf(step, table)
  const { fields, ...cards } = particulars(step, login, table)
  const server = step.server ? SERVER_URL : undefined
  const notify = step.notify && !/rebill|transfer|eligibility/.test(path) ? NOTIFY_URL : undefined
  return {
    ...cards,
    path,
    wire: ['payout-check', 'transfer', 'transfer-by-ref'].includes(path) ? `v4/${path}` : path,
    target,
    login,
    endpoint: routed(target, currency, table.configuration),
    clientOrderId,
    amount: currency === undefined ? 0n : amount,
    currency,
    server,
    notify,
    fields: {
      client_orderid: clientOrderId,
      ...(currency === undefined ? {} : { amount: major(amount), currency }),
      ...fields,
      ...(server === undefined ? {} : { server_callback_url: server }),
      ...(notify === undefined ? {} : { notify_url: notify }),
    } as Fields,
  }
}

/** A new client order id, or that of an existing order or of a coming charge. */
function nameOf({ reuses, stored }: StepOf<'open'>, table: Table): string {
  if (reuses === undefined) return `o${table.nextName()}z`
  const profile = table.profiles[reuses]
  if (profile !== undefined) return `${profile.id}-${profile.charged + 1 + (stored % 2)}`
  const order = table.orders[reuses % Math.max(1, table.orders.length)]
  return order?.clientOrderId ?? `o${table.nextName()}z`
}

/** The codes of which one must refuse the request. Empty: it must be accepted. */
function codesFor({ mood }: StepOf<'open'>, { login, endpoint, clientOrderId, amount, codes }: Wanted, table: Table) {
  const isTaken = table.orders.some((order) => order.login === login && order.clientOrderId === clientOrderId)
  return [
    ...(endpoint === undefined ? ['7'] : []),
    ...(endpoint?.most !== undefined && amount > endpoint.most ? ['10'] : []),
    ...codes,
    ...(isTaken && !table.mayRepeat ? ['3', ...(mood.isShut ? ['6'] : [])] : []),
  ]
}

/** The order on paper, after a check that the reply fits it. */
function orderOf(step: StepOf<'open'>, wanted: Wanted, read: Fields, table: Table): PaperOrder {
  const { path, login, endpoint, clientOrderId, amount, currency, server, notify, fields, pays, receives } = wanted
  if (endpoint === undefined) throw new Error(`${path} was taken by no endpoint`)
  const isOnPages = isForm(path) || path === 'pan-eligibility/send'
  const threeDs = isOnPages ? 'redirect' : step.threeDs
  const hasPage = isForm(path) || (fields['cvv2'] === '321' && threeDs === 'redirect')
  same(`open ${path}`, only(read, 'type', 'merchant-order-id', 'end-point-id', 'error-message'), {
    type: isForm(path) ? 'async-form-response' : 'async-response',
    'merchant-order-id': clientOrderId,
    'end-point-id': endpoint.id,
  })
  same(`a page for ${path}`, read['redirect-url'] !== undefined, hasPage)
  const orderId = read['paynet-order-id'] ?? ''
  const addresses = { server, notify, endpoint: endpointNow(endpoint.id, table) }
  const names = { login, endpointId: endpoint.id, clientOrderId, orderId, currency, page: read['redirect-url'] }
  return paperOrder(
    { ...names, addresses, times: endpoint, pays, receives, threeDs },
    {
      reference: `${orderId}-1`,
      serialNumber: read['serial-number'],
      kind: KIND_OF[path] ?? 'sale',
      amount,
      state: isForm(path) ? 'form' : 'sent',
      since: table.now,
      steps: [],
    },
  )
}

const isForm = (path: string) => path.endsWith('-form')

/** A first try whose reply the merchant does not get. The request after it must be answered as if it were the first. */
async function askInVain({ wire, target, fields }: Wanted, fault: FaultName, table: Table): Promise<void> {
  const request = table.sign(wire, target, fields)
  for (const side of table.sides) {
    side.gateway.faults.forOrder(fields['client_orderid'] ?? '', fault)
    await side.ask(request)
    side.gateway.faults.clear()
  }
  table.count(fault)
}

/** Returns the endpoint as it is configured at the time of each call. */
export function endpointNow(endpointId: string, table: Table) {
  return () => endpointsBy(table.configuration).find(({ id }) => id === endpointId)
}

/** Whether a request has the same content, apart from the CVV. */
function isAlike(one: Sent, other: Wanted): boolean {
  const content = ({ wire, target, fields }: Pick<Sent, 'wire' | 'target' | 'fields'>) =>
    JSON.stringify([wire, target, { ...fields, cvv2: undefined }])
  return content(one) === content(other)
}
