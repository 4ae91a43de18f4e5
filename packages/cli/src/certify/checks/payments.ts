import { type Candidate, type Check, claim, requireReply } from '../check.ts'
import { accepted, another, approved, idIn, payment, showsAmount, statusOf } from '../orders.ts'
import { refusesChanged } from '../refuses-changed.ts'

/** A payment from the request to its status. */
export const paymentChecks: readonly Check[] = [
  {
    claim: 'acknowledges a sale with its ids',
    source: 'part 4',
    run: async (candidate) => {
      const { clientOrderId, ...rest } = payment(candidate)
      const reply = accepted('the sale', await candidate.client.sale({ clientOrderId, ...rest }))
      idIn(reply)
      claim(reply.serialNumber !== undefined, 'the acknowledgement has no serial-number')
      const echoed = reply.clientOrderId
      claim(echoed === clientOrderId, `its merchant-order-id is ${echoed ?? 'none'}, not ${clientOrderId}`)
    },
  },
  {
    claim: 'approves a sale with the test card, and shows its amount and currency',
    source: 'part 4; gaps parts 4 and 10',
    run: async (candidate) => {
      const { amount, currency } = candidate
      const status = await statusOf(await approved('sale', candidate), candidate)
      claim(showsAmount(status, amount), `the status shows the amount ${status?.amount ?? 'none'}, not ${amount}`)
      claim(status.currency === currency, `the status shows the currency ${status.currency ?? 'none'}, not ${currency}`)
    },
  },
  {
    claim: 'shows an order by the client order id alone',
    source: 'part 4',
    run: async (candidate) => {
      const { clientOrderId, orderId } = await approved('sale', candidate)
      const status = await statusOf({ clientOrderId }, candidate)
      claim(status !== undefined, `there is no order ${clientOrderId} without its orderid`)
      claim(status.orderId === orderId, `it shows the order ${status.orderId ?? 'none'}, not ${orderId}`)
    },
  },
  {
    claim: 'makes no second order under a client order id',
    source: 'gaps part 13',
    run: async (candidate) => {
      const order = await approved('sale', candidate)
      const again = { ...payment(candidate), clientOrderId: order.clientOrderId, amount: another(candidate.amount) }
      const result = await candidate.client.sale(again)
      if (result.outcome !== 'accepted') requireReply('the second sale', result.error)
      const second = result.outcome === 'accepted' ? result.reply.orderId : undefined
      claim(second === undefined || second === order.orderId, `it made a second order, ${second}`)
      const status = await statusOf(order, candidate)
      claim(showsAmount(status, candidate.amount), `the first order shows the amount ${status?.amount ?? 'none'} since`)
    },
  },
  {
    // Neither of the two is signed: the control stays right.
    claim: 'refuses a sale without a card, and creates nothing',
    source: 'part 4',
    run: async (candidate) => await refusesChanged({ credit_card_number: undefined }, candidate),
  },
  {
    claim: 'refuses a card number with a wrong check digit, and creates nothing',
    source: 'part 4',
    run: async (candidate) => await refusesChanged({ credit_card_number: withWrongDigit(candidate) }, candidate),
  },
]

function withWrongDigit({ card: { cardNumber } }: Candidate): string {
  return cardNumber.replace(/\d$/, (digit) => `${(Number(digit) + 1) % 10}`)
}
