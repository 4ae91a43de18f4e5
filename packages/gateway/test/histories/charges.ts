import { CARD } from '../support/signed-requests.ts'
import { endpointNow } from './acts/open.ts'
import { SERVER_URL } from './addresses.ts'
import type { Traffic } from './bank.ts'
import { endpointsBy } from './merchants.ts'
import { type PaperOrder, paperOrder } from './paper-order.ts'
import { same } from './same.ts'
import type { Profile, Table } from './table.ts'

const DAY = 86_400_000

/** Puts the order of a charge on paper. It must be the next charge of its profile, on or after its day. */
export async function charged(orderId: string, { at }: Traffic, table: Table): Promise<PaperOrder> {
  const stored = await table.sides[0].store.orderById(orderId)
  const [id = '', number = ''] = stored?.clientOrderId.split('-') ?? []
  const profile = table.profiles.find((each) => each.id === id)
  if (stored === undefined || profile === undefined) throw new Error(`${orderId} is of nobody`)
  const n = nextOf(profile, table)
  profile.charged = n
  same(`the number of a charge of ${id}`, number, String(n))
  const day = profile.first + (n - 1) * profile.every
  if (day > profile.last || day * DAY > at) throw new Error(`Charge ${n} of ${id} came too early, or after the last`)
  const endpoint = endpointsBy(table.configuration).find((each) => each.id === profile.endpointId)
  if (endpoint === undefined) throw new Error('no endpoint')
  const amount = profile.amounts[Math.min(n, profile.amounts.length) - 1] ?? 0n
  const addresses = { server: SERVER_URL, notify: undefined, endpoint: endpointNow(endpoint.id, table) }
  const { login, endpointId, kind } = profile
  const card = CARD.credit_card_number
  const order = paperOrder(
    {
      login,
      endpointId,
      clientOrderId: `${id}-${n}`,
      orderId,
      currency: 'EUR',
      addresses,
      times: endpoint,
      pays: kind === 'sale' ? card : undefined,
      receives: kind === 'sale' ? undefined : card,
      page: undefined,
      threeDs: 'redirect',
    },
    { reference: `${orderId}-1`, serialNumber: undefined, kind, amount, state: 'sent', since: at, steps: [] },
  )
  table.orders.push(order)
  table.count('charge')
  return order
}

export function checkCharges(table: Table): void {
  for (const profile of table.profiles) {
    const { first, every, last, id } = profile
    const n = nextOf(profile, table)
    const day = first + (n - 1) * every
    if (day <= last && day * DAY <= table.now) throw new Error(`Charge ${n} of ${id} has not come`)
  }
}

/** The number of the next charge. A number whose client order id the merchant has used itself counts as charged. */
function nextOf({ id, login, charged }: Profile, table: Table): number {
  for (let n = charged + 1; ; n++) {
    const clientOrderId = `${id}-${n}`
    if (!table.orders.some((order) => order.login === login && order.clientOrderId === clientOrderId)) return n
  }
}
