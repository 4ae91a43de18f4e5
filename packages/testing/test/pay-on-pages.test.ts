import { describe, expect, onTestFinished, test } from 'vitest'
import { buildInput, cards, saleInput, startGateway } from '../src/index.ts'

/** A form that the shop has opened, or a sale that the gateway leads through 3DS. */
async function open(socket = false) {
  const gateway = await startGateway({ socket })
  onTestFinished(() => gateway.close())
  const client = gateway.client()
  const form = buildInput('saleForm', { redirectUrl: 'https://shop.example.com/return?from=payment' })
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
  ] as const)('%s, who %s: it is %s, and the browser returns to the shop', async ([card, answer, status]) => {
    const { gateway, client, address, clientOrderId } = await open(socket)
    const { to, fields } = await gateway.payOnPages(address, cards[card], answer)
    expect(to).toBe('https://shop.example.com/return?from=payment')
    expect(fields).toMatchObject({ status, client_orderid: clientOrderId })
    expect((await client.status({ clientOrderId })).status).toBe(status)
  })
})

test('confirms by default, also for a sale without browser fields', async () => {
  const { gateway, client } = await open()
  const redirectUrl = 'https://shop.example.com/return'
  const sale = await client.sale(saleInput({ ...cards.threeDsChallenge, redirectUrl }))
  const address = sale.outcome === 'accepted' ? (sale.reply.redirectUrl ?? '') : ''
  const { to, fields } = await gateway.payOnPages(address, cards.threeDsChallenge)
  expect([to, fields['status']]).toEqual([redirectUrl, 'approved'])
})

test('after the form has expired, the customer returns to the shop with the error', async () => {
  const { gateway, address } = await open()
  await gateway.clock.advance('31m')
  const { fields } = await gateway.payOnPages(address, cards.approved)
  expect(fields['status']).toBe('error')
})

test('details that the form does not accept are reported by their fields', async () => {
  const { gateway, address } = await open()
  const mistyped = { ...cards.approved, cardNumber: '4444555566661112' }
  await expect(gateway.payOnPages(address, mistyped)).rejects.toThrow(
    'The page "Error: Pay by card" was answered 422: Card number: Check the card number',
  )
})

test('a form that asks for no card cannot be paid with one', async () => {
  const { gateway, client } = await open()
  const payout = await client.payoutForm(buildInput('payoutForm'))
  const address = payout.outcome === 'accepted' ? (payout.reply.redirectUrl ?? '') : ''
  await expect(gateway.payOnPages(address, cards.approved)).rejects.toThrow('was answered 422')
})

test('a page that waits for an unknown outcome continues once time has passed', async () => {
  const { gateway, address } = await open()
  await expect(gateway.payOnPages(address, cards.unknownThenApproved)).rejects.toThrow(
    'There is no form to continue from the page "One moment, please"',
  )
  await gateway.clock.advance('2m')
  const { fields } = await gateway.payOnPages(address, cards.unknownThenApproved)
  expect(fields['status']).toBe('approved')
})

test('an abandoned 3DS page has no form to continue', async () => {
  const { gateway, address, clientOrderId } = await open()
  gateway.forOrder(clientOrderId).abandonThreeDs()
  await expect(gateway.payOnPages(address, cards.threeDsChallenge)).rejects.toThrow(
    'There is no form to continue from the page',
  )
})

test.for(['/thanks?payment=unknown', 'https://shop.example.com/thanks'])(
  'an address to which the shop redirects elsewhere is an error: %s',
  async (address) => {
    const { gateway } = await open()
    await expect(gateway.payOnPages(address, cards.approved)).rejects.toThrow(
      new TypeError(
        `payOnPages: ${address} is no page of this gateway, https://gateway.test: see where the shop redirects to`,
      ),
    )
  },
)
