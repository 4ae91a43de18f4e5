import { checkCharges } from './charges.ts'
import { checkCallbacks } from './check-callbacks.ts'
import type { PaperOrder } from './paper-order.ts'
import { only, same } from './same.ts'
import type { Table } from './table.ts'

/** The complaints of the gateway that the bank's moods can cause. */
const EXPECTED = [
  /the line is down/,
  /has not answered for 15 minutes/,
  /has (approved|declined|filtered|not carried out) the .* which has ended as/,
  /the bank is shut/,
]

/** What has to hold after each step. */
export async function checkAll(table: Table): Promise<void> {
  for (const order of table.orders) {
    await checkStatus(order, table)
    for (const { reference, state } of order.operations) {
      if (state !== 'form' && !table.executed.has(reference) && !(state === 'error'))
        throw new Error(`${reference} is ${state}, and was never carried out`)
    }
    if (order.held() < 0n || order.kept() < 0n) throw new Error(`More than there was: ${order.orderId}`)
  }
  if (!table.bankWasShut) checkCharges(table)
  for (const side of table.sides) {
    same(`wrong at the bank (${side.name})`, side.bank.wrong, [])
    same(
      `complaints (${side.name})`,
      side.heard.filter((text) => !EXPECTED.some((expected) => expected.test(text))),
      [],
    )
    checkCallbacks(side, table)
  }
}

async function checkStatus(order: PaperOrder, table: Table): Promise<void> {
  const { clientOrderId, orderId, login, endpointId } = order
  const names = { client_orderid: clientOrderId, orderid: orderId }
  const { read } = await table.ask('status', endpointId, names)
  const expected = order.shown()
  same(`status of ${orderId}`, only(read, ...Object.keys(expected)), expected)
  same(`identity of ${orderId}`, only(read, 'paynet-order-id', 'merchant-order-id', 'end-point-id'), {
    'paynet-order-id': orderId,
    'merchant-order-id': clientOrderId,
    'end-point-id': endpointId,
  })
  const isAwaited = order.first.state === 'customer' && order.operations.length === 1
  const hasStep = read['tds-status'] !== undefined || read['redirect-to'] !== undefined
  same(`a step to take of ${orderId}`, hasStep, isAwaited)
  const one = order.operations[table.now % order.operations.length]
  if (one?.serialNumber === undefined) return
  const target = login === 'shop' ? '1112' : '2222'
  const { read: then } = await table.ask('status', target, {
    client_orderid: clientOrderId,
    orderid: orderId,
    'by-request-sn': one.serialNumber,
  })
  const shown = order.shown(one)
  same(`status of ${one.reference}`, only(then, ...Object.keys(shown)), shown)
}
