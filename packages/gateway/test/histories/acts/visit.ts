import { visitor } from '../../support/page-visitor.ts'
import { CARD, type Fields } from '../../support/signed-requests.ts'
import { CARDS } from '../../support/three-ds.ts'
import { RETURN_URL } from '../addresses.ts'
import { isFinal } from '../paper-order.ts'
import { same } from '../same.ts'
import type { Side } from '../side.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'

/** The customer's browser at the pages of an order: the hosted form, 3DS, the way back. */
export async function visit(
  { order: index, types, card, mood: { isShut } }: StepOf<'visit'>,
  table: Table,
): Promise<void> {
  const order = table.orderAt(
    index,
    ({ page, first }) => page !== undefined && (first.state === 'form' || first.state === 'customer'),
  )
  if (order?.page === undefined) return
  const { page, first } = order
  order.tick(table.now)
  const { state } = first
  const isServed = table.served(order.endpointId) === order.endpointId
  const isPayout = first.kind === 'payout'
  const number = card === 'plain' || card === 'declined' ? CARD.credit_card_number : CARDS[card]
  const cvv2 = card === 'plain' ? '123' : card === 'declined' ? '116' : '321'
  const typed: Fields = isPayout
    ? { way: 'account', 'account-account_number': types === 'wrong' ? '' : '4081781' }
    : {
        credit_card_number: types === 'wrong' ? '4444' : number,
        expiry: '12/31',
        cvv2,
        card_printed_name: 'JOHN SMITH',
      }
  for (const { gateway, quiet } of table.sides) {
    const browser = visitor({ handle: atMost(30, gateway.handle), settled: quiet })
    if (state === 'form') {
      const opened = await browser.open(page)
      const form = opened.forms.find(({ method }) => method === 'post')
      same(`a form at ${page}`, form !== undefined, isServed)
      if (form === undefined) continue
      if (types !== 'nothing') await browser.submit(form, typed)
    } else if (state === 'customer' && order.threeDs === 'redirect') {
      const at = await browser.go(page).catch(neverEnds)
      const code = at !== undefined && 'forms' in at ? at.forms[0] : undefined
      if (code === undefined || types === 'nothing' || !code.action.includes('/acs/')) continue
      const answered = await browser.submit(code, types === 'right' ? { code: 'hint' } : { code: '', cancel: '1' })
      await browser.follow(answered).catch(neverEnds)
    } else if (isFinal(state) && table.now - first.since <= order.times.formLifetime) {
      const left = await browser.go(page)
      same(
        `the way back of ${order.orderId}, which is ${state}`,
        'to' in left && [left.to, left.fields['status'], left.fields['orderid']],
        [RETURN_URL, state, order.orderId],
      )
    } else {
      await browser.open(page)
    }
  }
  table.count(`visit in state ${state}`)
  if (state !== 'form' || types === 'nothing' || !isServed) return
  if (types === 'wrong') {
    order.tries++
    if (order.tries >= 3) order.move(first, 'error', table.now)
    return
  }
  if (isShut) return
  order.move(first, 'sent', table.now)
  if (isPayout) return
  order.pays = number
}

/** Stops the browser at a page that waits for the bank, which reloads forever. */
function atMost(most: number, handle: Side['gateway']['handle']): Side['gateway']['handle'] {
  let left = most
  return (request) => {
    if (left-- === 0) throw new Error('A page that never ends')
    return handle(request)
  }
}

function neverEnds(error: unknown): undefined {
  if (!String(error).includes('never ends')) throw error
}
