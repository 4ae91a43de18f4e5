import { maskCardNumbers, parseForm, readCallback } from '@tallystick/core'
import { type Candidate, type Check, claim, NotTried } from '../check.ts'
import { accepted, approved, formPayment, openedPage } from '../orders.ts'

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
