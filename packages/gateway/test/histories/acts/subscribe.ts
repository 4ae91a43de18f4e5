import { CARD, type Fields } from '../../support/signed-requests.ts'
import { SERVER_URL } from '../addresses.ts'
import { loginOf } from '../merchants.ts'
import { same } from '../same.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'

const DAY = 86_400_000

export async function subscribe(step: StepOf<'subscribe'>, table: Table): Promise<void> {
  const { isSource, period, interval, amounts, startsIn, lasts } = step
  const target = table.served(step.target)
  const login = loginOf(target)
  const today = Math.floor(table.now / DAY)
  const start = today + (startsIn ?? 0)
  const fields: Fields = {
    rp_card_type: isSource ? 'SRC' : 'DST',
    login,
    'client-orderid': `p${table.nextName()}z`,
    'credit-card-number': CARD.credit_card_number,
    ...(isSource ? { 'card-printed-name': 'JOHN SMITH', 'expire-month': '12', 'expire-year': '2031' } : {}),
    currency: 'EUR',
    ...(amounts.includes(',') ? { 'amount-sequence': amounts } : { amount: amounts }),
    server_callback_url: SERVER_URL,
    ...(period === undefined ? {} : { period, interval: String(interval) }),
    ...(period === undefined || startsIn === undefined ? {} : { 'start-date': dayText(start) }),
    ...(period === undefined || lasts === undefined ? {} : { 'finish-date': dayText(start + lasts) }),
  }
  const { read } = await table.ask('v4/create-recurring-payment', target, fields)
  same('a recurring payment', read['type'], 'create-recurring-payment-response')
  const id = read['recurring-payment-id'] ?? ''
  const again = await table.ask('v4/create-recurring-payment', target, fields)
  same('a recurring payment that is asked for again', again.read['recurring-payment-id'], id)
  const other = await table.ask('v4/create-recurring-payment', target, {
    ...fields,
    amount: '3.00',
    'amount-sequence': '',
  })
  table.expectCode('a recurring payment of the same name', other.read, ['3'])
  const role = isSource ? 'pays' : 'receives'
  const lastDay = period === undefined || lasts === undefined ? {} : { lastDay: start + lasts }
  table.keep({ login, id, name: 'token', role, card: CARD.credit_card_number, ...lastDay })
  if (period === undefined) return
  table.profiles.push({
    login,
    endpointId: target,
    id,
    kind: isSource ? 'sale' : 'payout',
    amounts: amounts.split(',').map((text) => BigInt(text.replace('.', ''))),
    first: start,
    every: interval * (period === 'week' ? 7 : 1),
    last: lasts === undefined ? Number.POSITIVE_INFINITY : start + lasts,
    charged: 0,
  })
  table.count('subscribe')
}

function dayText(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}
