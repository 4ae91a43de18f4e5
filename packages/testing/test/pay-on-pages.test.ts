import { describe, expect, onTestFinished, test } from 'vitest'
import { cards, payoutFormInput, saleFormInput, saleInput, startGateway } from '../src/index.ts'

/** A form that the shop has opened, or a sale that the gateway takes through 3DS. */
async function open(socket = false) {
  const gateway = await startGateway({ socket })
  onTestFinished(() => gateway.close())
  const client = gateway.client()
  const form = saleFormInput({ redirectUrl: 'https://shop.example.com/return?from=payment' })
  const opened = await client.saleForm(form)
  const address = opened.outcome === 'accepted' ? (opened.reply.redirectUrl ?? '') : ''
  return { gateway, client, address, clientOrderId: form.clientOrderId }
}

describe.for([true, false])('a customer on the pages of the gateway, with a socket: %s', (socket) => {
  test.for([
    ['approved', 'confirms', 'approved'],
    ['insufficientFunds', 'confirms', 'declined'],
    ['threeDsChallenge', 'confirms', 'approved'],
    ['threeDsChallenge', 'fails', 'declined'],
    ['threeDsChallenge', 'cancels', 'declined'],
    ['threeDsMethod', 'confirms', 'approved'],
    ['threeDsFrictionless', 'confirms', 'approved'],
    ['threeDsNoMethodUrl', 'confirms', 'approved'],
    ['threeDsPaReq', 'confirms', 'approved'],
    ['threeDsPaReq', 'cancels', 'declined'],
  ] as const)('%s, who %s: it is %s, and the browser goes back to the shop', async ([card, answer, status]) => {
    const { gateway, client, address, clientOrderId } = await open(socket)
    const { to, fields } = await gateway.payOnPages(address, cards[card], answer)
    expect(to).toBe('https://shop.example.com/return?from=payment')
    expect(fields).toMatchObject({ status, client_orderid: clientOrderId })
    expect((await client.status({ clientOrderId })).status).toBe(status)
  })
})

test('confirms unless told otherwise, also where a sale without facts of the browser is sent on', async () => {
  const { gateway, client } = await open()
  const redirectUrl = 'https://shop.example.com/return'
  const sale = await client.sale(saleInput({ ...cards.threeDsChallenge, redirectUrl }))
  const address = sale.outcome === 'accepted' ? (sale.reply.redirectUrl ?? '') : ''
  const { to, fields } = await gateway.payOnPages(address, cards.threeDsChallenge)
  expect([to, fields['status']]).toEqual([redirectUrl, 'approved'])
})

test('who comes after the form has expired goes back to the shop with the error', async () => {
  const { gateway, address } = await open()
  await gateway.clock.advance('31m')
  const { fields } = await gateway.payOnPages(address, cards.approved)
  expect(fields['status']).toBe('error')
})

test('details that the form does not take are told by their fields', async () => {
  const { gateway, address } = await open()
  const mistyped = { ...cards.approved, cardNumber: '4444555566661112' }
  await expect(gateway.payOnPages(address, mistyped)).rejects.toThrow(
    'The page "Error: Pay by card" was answered 422: Card number: Check the card number',
  )
})

test('a form that asks for no card is not one to pay on', async () => {
  const { gateway, client } = await open()
  const payout = await client.payoutForm(payoutFormInput())
  const address = payout.outcome === 'accepted' ? (payout.reply.redirectUrl ?? '') : ''
  await expect(gateway.payOnPages(address, cards.approved)).rejects.toThrow('was answered 422')
})

test('a page that waits for what the acquirer does not know leads on once time has passed', async () => {
  const { gateway, address } = await open()
  await expect(gateway.payOnPages(address, cards.unknownThenApproved)).rejects.toThrow(
    'Nothing leads on from the page "One moment, please"',
  )
  await gateway.clock.advance('2m')
  const { fields } = await gateway.payOnPages(address, cards.unknownThenApproved)
  expect(fields['status']).toBe('approved')
})

test('a page from which nobody comes back leads nowhere', async () => {
  const { gateway, address, clientOrderId } = await open()
  gateway.forOrder(clientOrderId).abandonThreeDs()
  await expect(gateway.payOnPages(address, cards.threeDsChallenge)).rejects.toThrow('Nothing leads on from the page')
})

test.for(['/thanks?payment=unknown', 'https://shop.example.com/thanks'])(
  'a shop that sends its customer elsewhere is told so: %s',
  async (address) => {
    const { gateway } = await open()
    await expect(gateway.payOnPages(address, cards.approved)).rejects.toThrow(
      new TypeError(
        `payOnPages: ${address} is no page of this gateway, https://gateway.test: see where the shop sends to`,
      ),
    )
  },
)
