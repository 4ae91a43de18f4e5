import { maskCardNumbers, parseForm, readCallback } from '@tallystick/core'
import { type Candidate, type Check, claim, Finding, NotTried, requireReply } from '../check.ts'
import type { CertifyCard } from '../options.ts'
import {
  accepted,
  another,
  approved,
  decided,
  formPayment,
  idIn,
  type KnownOrder,
  openedPage,
  payment,
  RETURN_URL,
  showsAmount,
  statusOf,
} from '../orders.ts'
import { refusesChanged } from '../signatures.ts'

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

/** Cards that are not simply approved. */
export const otherCardChecks: readonly Check[] = [
  {
    claim: 'declines a sale with a card that is declined, and says why',
    source: 'gaps parts 9 and 10',
    run: async (candidate) => {
      const order = await sold(named('--declined-card', candidate.declinedCard), candidate)
      const { errorCode, errorMessage } = await decided('the sale', order, candidate, 'declined')
      claim(errorCode !== undefined, 'the status has no error-code')
      claim(errorMessage !== undefined, 'the status has no error-message')
    },
  },
  {
    claim: 'asks the customer of a card that needs 3-D Secure to confirm',
    source: 'gaps parts 8 and 10',
    run: async (candidate) => {
      const { client, deadlineMs, threeDsCard } = candidate
      const order = await sold(named('--three-ds-card', threeDsCard), candidate)
      const next = await client.threeDs.next(order, { returnUrl: RETURN_URL, deadlineMs })
      if (next.step === 'redirect' && next.url !== undefined) await openedPage(next.url, candidate)
      if (next.step !== 'none') return
      const { outcome } = next
      if (outcome.outcome !== 'undecided')
        throw new NotTried(`the sale is ${outcome.outcome}: this endpoint asks for no 3-D Secure`)
      requireReply('the status of the sale', outcome.lastPoll?.error)
      throw new Finding(`within ${deadlineMs / 1000} s, the status has neither an outcome nor what the browser needs`)
    },
  },
]

/** @throws NotTried */
function named(option: string, card: CertifyCard | undefined): CertifyCard {
  if (card === undefined) throw new NotTried(`give ${option}, since --card is not the card of the family`)
  return card
}

/** A sale with this card. The customer comes back to nobody. */
async function sold(card: CertifyCard, candidate: Candidate): Promise<KnownOrder> {
  const input = { ...payment({ ...candidate, card }), redirectUrl: RETURN_URL }
  const reply = accepted('the sale', await candidate.client.sale(input))
  return { clientOrderId: input.clientOrderId, orderId: idIn(reply) }
}

/** What a customer's browser meets, and what the gateway sends on its own. */
export const pageAndCallbackChecks: readonly Check[] = [
  {
    claim: 'gives the address of a page for a form',
    source: 'part 4',
    run: async (candidate) => {
      const reply = accepted('the form', await candidate.client.saleForm(formPayment(candidate)))
      const url = reply.redirectUrl ?? ''
      claim(URL.canParse(url), `its redirect-url is no address: ${maskCardNumbers(url)}`)
      await openedPage(url, candidate)
    },
  },
  {
    claim: 'calls the shop back, signed with the control key',
    source: 'gaps part 6',
    run: async (candidate) => {
      const { callbacks, client, deadlineMs } = candidate
      if (callbacks === undefined) throw new NotTried('give --callback-url, where the gateway reaches this machine')
      const { clientOrderId, orderId } = await approved('sale', candidate)
      const query = await callbacks.wait(clientOrderId, deadlineMs)
      claim(query !== undefined, noneCame(clientOrderId, candidate, callbacks.received()))
      const read = readCallback(parseForm(query))
      claim(read.ok, 'the callback lacks status, orderid, client_orderid or control')
      claim(client.verifiesCallback(read.value), 'its control is wrong')
      claim(read.value.status === 'approved', `it says that the order is ${read.value.status}`)
      claim(read.value.orderId === orderId, `it names the order ${read.value.orderId}, not ${orderId}`)
    },
  },
]

/** Whether anything came tells a gateway that sends no callbacks from one that cannot reach this machine. */
function noneCame(clientOrderId: string, { deadlineMs }: Candidate, received: number): string {
  const others = received === 0 ? 'no request at all came' : `${received} of other orders came`
  return `no callback of ${clientOrderId} came within ${deadlineMs / 1000} s: ${others}`
}
