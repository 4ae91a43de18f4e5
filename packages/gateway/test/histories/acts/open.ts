import type { FaultName } from '../../../src/index.ts'
import type { Fields } from '../../support/signed-requests.ts'
import { NOTIFY_URL, SERVER_URL } from '../addresses.ts'
import { endpointsBy, loginOf, routed } from '../merchants.ts'
import { major, type Opening, paperOrder } from '../paper-order.ts'
import { only, same } from '../same.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'
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
  const { path } = step
  const target = table.served(step.target)
  const cents = BigInt(step.cents)
  const login = loginOf(target)
  const isVerification = KIND_OF[path] === 'account-verification'
  const currency = isVerification ? undefined : step.currency
  const endpoint = routed(target, currency, table.configuration)
  const reused = step.reuses === undefined ? undefined : table.orders[step.reuses % Math.max(1, table.orders.length)]
  const profile = step.reuses === undefined || step.reuses > 2 ? undefined : table.profiles[step.reuses]
  const charge = profile && `${profile.id}-${profile.charged + 1 + (step.stored % 2)}`
  const clientOrderId = charge ?? reused?.clientOrderId ?? `o${table.nextName()}z`
  const money: Fields = currency === undefined ? {} : { amount: major(cents), currency }
  const { fields: particular, pays, receives, codes: wrongCard } = particulars(step, login, table)
  const hasNotify = step.notify && !/rebill|transfer|eligibility/.test(path)
  const fields: Fields = {
    client_orderid: clientOrderId,
    ...money,
    ...particular,
    ...(step.server ? { server_callback_url: SERVER_URL } : {}),
    ...(hasNotify ? { notify_url: NOTIFY_URL } : {}),
  }
  const wire = ['payout-check', 'transfer', 'transfer-by-ref'].includes(path) ? `v4/${path}` : path
  const isTaken =
    !table.mayRepeat && table.orders.some((order) => order.login === login && order.clientOrderId === clientOrderId)
  const before = table.sent.find(
    (sent) => !table.mayRepeat && sent.path === wire && sent.target === target && alike(sent.fields) === alike(fields),
  )
  const codes = [
    ...(endpoint === undefined ? ['7'] : []),
    ...(endpoint?.most !== undefined && currency !== undefined && cents > endpoint.most ? ['10'] : []),
    ...wrongCard,
    ...(isTaken ? ['3', ...(step.mood.isShut ? ['6'] : [])] : []),
  ]
  if (step.fault !== undefined && !table.mayRepeat) await askInVain(wire, target, fields, step.fault, table)
  const { read, request, reply } = await table.ask(wire, target, fields)
  const takesCard = !path.endsWith('-form') && before === undefined && codes.length === 0
  if (step.mood.isShut && takesCard) {
    same(`open ${path} while the bank is shut`, [reply.status, read['error-code']], [500, '6'])
    return table.count('the bank was shut')
  }
  if (before !== undefined) return same('a repeat gets the first answer', reply.body, before.reply)
  if (codes.length > 0 || endpoint === undefined) return table.expectCode(`open ${path}`, read, codes)
  const isForm = path.endsWith('-form')
  const orderId = read['paynet-order-id'] ?? ''
  const isThreeDs = !isForm && path !== 'payout' && path !== 'payout-check' && fields['cvv2'] === '321'
  const hasPage = isForm || (isThreeDs && (step.threeDs === 'redirect' || path === 'pan-eligibility/send'))
  same(`open ${path}`, only(read, 'type', 'merchant-order-id', 'end-point-id', 'error-message'), {
    type: isForm ? 'async-form-response' : 'async-response',
    'merchant-order-id': clientOrderId,
    'end-point-id': endpoint.id,
  })
  same(`a page for ${path}`, read['redirect-url'] !== undefined, hasPage)
  const serialNumber = read['serial-number']
  const first = {
    reference: `${orderId}-1`,
    serialNumber,
    kind: KIND_OF[path] ?? 'sale',
    amount: currency === undefined ? 0n : cents,
    state: isForm ? ('form' as const) : ('sent' as const),
    since: table.now,
    steps: [],
  }
  const addresses = {
    server: step.server ? SERVER_URL : undefined,
    notify: hasNotify ? NOTIFY_URL : undefined,
    endpoint: notifyUrlOf(endpoint.id, table),
  }
  const threeDs = isForm || path === 'pan-eligibility/send' ? 'redirect' : step.threeDs
  const terms = { login, endpointId: endpoint.id, clientOrderId, orderId, currency, addresses, times: endpoint }
  table.orders.push(paperOrder({ ...terms, pays, receives, page: read['redirect-url'], threeDs }, first))
  const controlKey = table.controlKeyAt(target)
  table.sent.push({ path: wire, target, fields, request, controlKey, reply: reply.body })
  table.count(`open ${path}`)
}

/** A reply that the merchant does not get. Asked again, it is told what became of it. */
async function askInVain(path: string, target: string, fields: Fields, fault: FaultName, table: Table): Promise<void> {
  const request = table.sign(path, target, fields)
  for (const side of table.sides) {
    side.gateway.chaos.forOrder(fields['client_orderid'] ?? '', fault)
    await side.ask(request)
    side.gateway.chaos.clear()
  }
  table.count(fault)
}

/** Where the endpoint wants to hear of what comes later, as it is configured by then. */
export function notifyUrlOf(endpointId: string, table: Table) {
  return () => endpointsBy(table.configuration).find(({ id }) => id === endpointId)?.notifyUrl
}

/** The content of a request without its CVV. */
function alike(fields: Fields): string {
  return JSON.stringify({ ...fields, cvv2: undefined })
}
