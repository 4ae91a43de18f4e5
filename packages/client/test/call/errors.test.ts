import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type Exchange, rawReplyOf } from '../../src/index.ts'
import { classic, fakeTransport, json, lost, replied } from '../fake-transport.ts'
import { merchantClient } from '../merchant.ts'

const order = { clientOrderId: '902B4FF5', orderId: '6768788' }

async function failureOf(exchange: Exchange) {
  const result = await merchantClient(fakeTransport(exchange)).capture(order)
  if (result.outcome === 'accepted') throw new Error('it was accepted')
  return result.error
}

test('an error gives its raw reply for a support case', async () => {
  const body = '<h1>Bad gateway</h1>'
  expect(rawReplyOf(await failureOf(replied(502, 'text/html', body)))).toEqual({
    httpStatus: 502,
    mediaType: 'text/html',
    body,
  })
})

test('the raw reply is shown neither by inspect nor by JSON.stringify', async () => {
  const error = await failureOf(replied(502, 'text/html', 'a-word-of-the-page'))
  const printed = inspect(error, { showHidden: true, depth: null, getters: true }) + JSON.stringify(error)
  expect(printed).not.toContain('a-word-of-the-page')
})

test.each([
  json({ type: 'error', 'error-message': 'Card 4444555566661111, cvv2=917', cvv2: '917', control: 'a1b2c3' }, 500),
  classic('type=error\n&error-message=Card+4444+5555+6666+1111\n&cvv2=917\n&control=a1b2c3\n'),
  replied(500, 'text/html', '<p>credit_card_number=4444%205555%206666%201111&amp;cvv2: "917"</p> control = a1b2c3'),
])('card numbers, CVV and control are redacted in the raw reply: %o', async (exchange) => {
  const raw = rawReplyOf(await failureOf(exchange))
  expect(raw?.body).toMatch(/444455\*+1111/)
  expect(raw?.body).not.toMatch(/917|a1b2c3|6666/)
})

describe('if an id passes for a card number', () => {
  /** 15 digits, as in the ids of orders (gaps part 13), with a right check digit (ISO/IEC 7812-1 annex B). */
  const id = '123456789012347'
  const pan = '4444555566661111'
  const bodyOf = async (named: object, message: string) => {
    const transport = fakeTransport(json({ type: 'error', 'error-message': message }, 500))
    const result = await merchantClient(transport).capture({ ...order, ...named })
    return result.outcome === 'accepted' ? '' : rawReplyOf(result.error)?.body
  }

  test.each([
    ['the order', { orderId: id }],
    ['the merchant’s order', { clientOrderId: `inv-${id}-a` }],
  ])('the id of %s is shown, because the request named it', async (_what, named) => {
    expect(await bodyOf(named, `No capture of ${id}`)).toContain(`No capture of ${id}`)
  })

  test('the rest of the body is as it came, however often the id is in it', async () => {
    const message = `${id} of ${pan} is ${id}, no capture`
    expect(await bodyOf({ orderId: id }, message)).toBe(
      JSON.stringify({ type: 'error', 'error-message': `${id} of 444455******1111 is ${id}, no capture` }),
    )
  })

  test('an id that only the gateway names is masked', async () => {
    expect(await bodyOf({}, `No capture of ${id}`)).toContain('No capture of 123456*****2347')
  })

  test.each([`${pan} of ${id}`, `${id} ${pan}`, `${id}-${pan}`, '4444 5555 6666 1111'])(
    'a card number beside the id is masked: %s',
    async (text) => {
      const body = await bodyOf({ orderId: id, clientOrderId: 'a-4444-5' }, text)
      expect(body).toMatch(/444455\*{6}1111/)
      expect(body?.replaceAll(/[ -]/g, '')).not.toContain(pan)
    },
  )
})

test('there is no raw reply if no whole reply came', async () => {
  expect(rawReplyOf(await failureOf(lost))).toBeUndefined()
})
