import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { type Exchange, rawReplyOf } from '../src/index.ts'
import { classic, fakeTransport, json, lost, replied } from './fake-transport.ts'
import { merchantClient } from './merchant.ts'

const order = { clientOrderId: '902B4FF5', orderId: '6768788' }

async function failureOf(exchange: Exchange) {
  const result = await merchantClient(fakeTransport(exchange)).capture(order)
  if (result.outcome === 'accepted') throw new Error('it was accepted')
  return result.error
}

test('the raw reply is at hand for a support case', async () => {
  const body = '<h1>Bad gateway</h1>'
  expect(rawReplyOf(await failureOf(replied(502, 'text/html', body)))).toEqual({
    httpStatus: 502,
    mediaType: 'text/html',
    body,
  })
})

test('it is in no way of printing the error', async () => {
  const error = await failureOf(replied(502, 'text/html', 'a-word-of-the-page'))
  const printed = inspect(error, { showHidden: true, depth: null, getters: true }) + JSON.stringify(error)
  expect(printed).not.toContain('a-word-of-the-page')
})

test.each([
  json({ type: 'error', 'error-message': 'Card 4444555566661111, cvv2=917', cvv2: '917', control: 'a1b2c3' }, 500),
  classic('type=error\n&error-message=Card+4444+5555+6666+1111\n&cvv2=917\n&control=a1b2c3\n'),
  replied(500, 'text/html', '<p>credit_card_number=4444%205555%206666%201111&amp;cvv2: "917"</p> control = a1b2c3'),
])('card numbers, CVV and control are redacted: %o', async (exchange) => {
  const raw = rawReplyOf(await failureOf(exchange))
  expect(raw?.body).toMatch(/444455\*+1111/)
  expect(raw?.body).not.toMatch(/917|a1b2c3|6666/)
})

test('where nothing whole came there is none', async () => {
  expect(rawReplyOf(await failureOf(lost))).toBeUndefined()
})
