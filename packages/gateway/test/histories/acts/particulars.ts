import { CARD, type Fields, PAYER } from '../../support/signed-requests.ts'
import { CARDS, serverToServer } from '../../support/three-ds.ts'
import { RETURN_URL } from '../addresses.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'

const DAY = 86_400_000

const { client_orderid: _, ...PAYER_OF } = PAYER

/** The fields about payer, cards and destination, and the codes of which one must refuse a request with them. */
export function particulars({ path, card, threeDs, stored }: StepOf<'open'>, login: string, table: Table) {
  const number = card === 'plain' || card === 'declined' ? CARD.credit_card_number : CARDS[card]
  const cvv2 = card === 'plain' ? '123' : card === 'declined' ? '116' : '321'
  const typed: Fields = {
    ...CARD,
    credit_card_number: number,
    cvv2,
    redirect_url: RETURN_URL,
    ...(threeDs === 'server' ? serverToServer('challenge') : {}),
  }
  const browser = { ...typed, credit_card_number: number, cvv2 }
  const cards = table.stored.filter(({ name }) => name === 'card')
  const own = cards.filter((each) => each.login === login)
  const reference = stored < 4 && own.length > 0 ? own.at(stored % own.length) : cards.at(stored)
  const none: { fields: Fields; pays?: string; receives?: string; codes: string[] } = { fields: {}, codes: [] }
  const isMine = reference?.login === login
  switch (path) {
    case 'sale':
    case 'preauth':
      if (stored === 5) {
        const token = table.stored.findLast((each) => each.login === login)
        const named = {
          [token?.name === 'token' ? 'card_recurring_payment_id' : 'cardrefid']: token?.id ?? '123456789012345',
        }
        const isOver = Math.floor(table.now / DAY) > (token?.lastDay ?? Number.POSITIVE_INFINITY)
        const codes = token?.role === 'pays' && !isOver ? [] : ['8']
        return { fields: { ...PAYER_OF, ...named, redirect_url: RETURN_URL }, pays: token?.card, codes }
      }
      return { ...none, fields: { ...PAYER_OF, ...browser }, pays: number }
    case 'account-verification':
      return { ...none, fields: { ...PAYER_OF, ...browser }, pays: number }
    case 'transfer':
      return {
        ...none,
        fields: {
          ...browser,
          order_desc: 'x',
          ipaddress: PAYER.ipaddress,
          'destination-card-no': '5555555555554444',
        },
        pays: number,
        receives: '5555555555554444',
      }
    case 'transfer-by-ref':
      return {
        fields: { order_desc: 'x', 'destination-card-ref-id': reference?.id ?? '123456789012345' },
        receives: reference?.card,
        codes: isMine ? [] : ['8'],
      }
    case 'make-rebill':
    case 'make-rebill-sale':
    case 'make-rebill-preauth':
      return {
        fields: { cardrefid: reference?.id ?? '123456789012345', order_desc: 'x', ipaddress: PAYER.ipaddress },
        pays: reference?.card,
        codes: isMine && reference.role === 'pays' ? [] : ['8'],
      }
    case 'pan-eligibility/send':
      return {
        fields: { 'sending-card-ref-id': reference?.id ?? '123456789012345' },
        pays: reference?.card,
        codes: isMine && reference.role === 'pays' ? [] : ['8'],
      }
    case 'payout':
      return { ...none, fields: { credit_card_number: number }, receives: number }
    case 'payout-check':
      return stored % 2 === 0
        ? { ...none, fields: { credit_card_number: number }, receives: number }
        : { ...none, fields: { account_number: '4081781' } }
    case 'payout-form':
      return { ...none, fields: { redirect_url: RETURN_URL } }
    default:
      return { ...none, fields: { ...PAYER_OF, redirect_url: RETURN_URL } }
  }
}
