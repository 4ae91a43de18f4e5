import { format, inspect } from 'node:util'
import { Cvv, Pan, type PaymentError, recurringRows } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import { createPaymentClient, type Exchange, rawReplyOf } from '../src/index.ts'
import { classic, fakeTransport, json, lost, replied } from './fake-transport.ts'
import { privatePem } from './keys.ts'
import { baseUrl, merchant } from './merchant.ts'
import { errorOf } from './outcomes.ts'

/** Values that must never occur in an error, a log or a dump. */
const canaries = {
  pan: '4444555566661111',
  cvv: '9137',
  controlKey: 'CANARY-CONTROL-KEY',
  privateKey: privatePem.slice(100, 140),
}

const sale = {
  clientOrderId: '902B4FF5',
  orderDesc: 'Tea',
  address1: '100 Main st',
  city: 'Seattle',
  zipCode: '1235',
  country: 'DE',
  phone: '+12063582043',
  email: 'john.smith@gmail.com',
  customerIp: '65.153.12.232',
  amount: '10.42',
  currency: 'EUR',
  cardNumber: canaries.pan,
  cardPrintedName: 'JOHN SMITH',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: canaries.cvv,
}

/** Every way in which Node prints a value, with its causes. */
function printed(value: unknown): string {
  const whole = inspect(value, { showHidden: true, depth: null, getters: true, maxStringLength: null })
  const error = value instanceof Error ? [value.message, value.stack, String(value), printed(value.cause)] : []
  return [whole, JSON.stringify(value), format('%s %j %o %O', value, value, value, value), ...error].join('\n')
}

function expectNoCanary(value: unknown): void {
  const text = printed(value).replaceAll(/[ -]/g, '')
  for (const [name, canary] of Object.entries(canaries)) {
    expect(text.includes(canary.replaceAll('-', '')), `${name} in ${text}`).toBe(false)
  }
}

const clientOf = (exchange: Exchange | Error) =>
  createPaymentClient({
    ...merchant,
    baseUrl,
    controlKey: canaries.controlKey,
    privateKey: privatePem,
    transport: fakeTransport(exchange),
  })

const echo = `Card ${canaries.pan} was refused`
const spaced = 'Card 4444 5555 6666 1111 and card 4444-5555-6666-1111 were refused'

describe('No card number, CVV or key is in an outcome', () => {
  test.each<readonly [what: string, exchange: Exchange | Error]>([
    ['of a lost reply', lost],
    ['of a transport that quotes the request', { kind: 'lost', seen: `reset while sending ${canaries.pan}` }],
    ['of a transport that quotes it unsent', { kind: 'not-sent', seen: `no route for ${canaries.pan}` }],
    ['of a transport that throws the request', Object.assign(new Error(echo), { body: JSON.stringify(sale) })],
    ['of a refusal that quotes the card number', json({ type: 'validation-error', 'error-message': echo }, 400)],
    [
      'of a refusal that quotes it in groups',
      classic(`type=validation-error\n&error-message=${spaced.replaceAll(' ', '+')}\n`),
    ],
    ['of a refusal whose code quotes it', json({ type: 'validation-error', 'error-code': canaries.pan })],
    ['of a failure that quotes it', json({ type: 'error', 'error-message': echo }, 500)],
    ['of an answer without an order that quotes it', json({ type: 'async-response', 'error-message': echo })],
    ['of a refused signature that quotes it', json({ type: 'error', 'error-message': echo }, 403)],
    ['of a page that quotes it', replied(502, 'text/html', echo)],
    ['of a media type that quotes it', replied(502, `text/${canaries.pan}`, echo)],
  ])('%s', async (_what, exchange) => {
    const result = await clientOf(exchange).sale(sale)
    expect(result.outcome).not.toBe('accepted')
    expectNoCanary(result)
    expectNoCanary(await errorOf(Promise.resolve(result)))
  })

  test('of a request that does not fit its model: fields are named, values are not', async () => {
    const wrong = { ...sale, cardNumber: '4444555566661112', cvv2: `${canaries.cvv}0`, expireMonth: '13' }
    const error = await errorOf(clientOf(lost).sale(wrong))
    expect(error).toMatchObject({ message: expect.stringContaining('cardNumber (credit_card_number) must be') })
    expectNoCanary(error)
  })

  test('of a read that throws', async () => {
    const client = clientOf(json({ type: 'error', 'error-message': echo }, 500))
    const error = await errorOf(
      client.panEligibilitySend({
        clientOrderId: 'A1',
        sendingCardNumber: canaries.pan,
        cardPrintedName: 'JOHN SMITH',
        expireMonth: 12,
        expireYear: 2099,
      }),
    )
    expect(error).toMatchObject({ code: 'GATEWAY_ERROR', errorMessage: 'Card 444455******1111 was refused' })
    expectNoCanary(error)
  })
})

test('A card number and a CVV may be given as objects that print masked', async () => {
  const transport = fakeTransport(lost)
  const input = { ...sale, cardNumber: new Pan(canaries.pan), cvv2: new Cvv(canaries.cvv) }
  expectNoCanary(input)
  await createPaymentClient({ ...merchant, baseUrl, transport }).sale(input)
  expect(transport.sent[0]?.body).toContain(`credit_card_number=${canaries.pan}&`)
  expect(transport.sent[0]?.body).toContain(`cvv2=${canaries.cvv}&`)
})

function thrownBy(make: () => unknown): unknown {
  try {
    return make()
  } catch (error) {
    return error
  }
}

test('The errors of wrong keys do not quote them', () => {
  const broken = privatePem.replace('-----END', '-----\n-----END')
  for (const privateKey of [canaries.privateKey, `${privatePem}${privatePem}`, broken.slice(0, 600)]) {
    const make = () => createPaymentClient({ ...merchant, baseUrl, controlKey: canaries.controlKey, privateKey })
    expect(make).toThrow(TypeError)
    expectNoCanary(thrownBy(make))
  }
})

describe('[F-B8] No error, log line or raw reply holds the card number that was sent', () => {
  const number = '4444555566661111'
  const spellings = [
    '4444&nbsp;5555&nbsp;6666&nbsp;1111',
    '4444<br>5555<br>6666<br>1111',
    '<td>4444</td><td>5555</td><td>6666</td><td>1111</td>',
    [...number].map((digit) => `%3${digit}`).join(''),
    [...number].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join(''),
    [...number].join('\u200b'),
  ]

  const said = ({ error }: { readonly error: PaymentError }) =>
    inspect(error, { showHidden: true, depth: null }) + JSON.stringify([error, rawReplyOf(error)])

  test.each(['an attribute', 'a comment'])('quoted in %s', async (where) => {
    const page = where === 'a comment' ? `<!-- ${number} -->` : `<input value="${number}">`
    for (const exchange of [
      json({ type: 'validation-error', 'error-message': page }, 400),
      replied(502, 'text/html', `<h1>Bad gateway</h1>${page}`),
      { kind: 'lost', seen: `the proxy answered ${page}` } as const,
    ]) {
      const result = await clientOf(exchange).sale(sale)
      if (result.outcome === 'accepted') throw new Error('it was accepted')
      expect(said(result)).not.toContain(number)
      expect(said(result)).toContain('444455')
    }
  })

  test('if it was in a row of a plural form', async () => {
    const { clientOrderId, currency, amount, cardNumber, cardPrintedName, expireYear, expireMonth } = sale
    const card = { cardNumber, cardPrintedName, expireYear, expireMonth, recurringCardType: 'SRC' as const }
    const row = { clientOrderId, currency, amount, ...card }
    const quoted = '<td>4444</td><td>5555</td><td>6666</td><td>1111</td>'
    const client = clientOf(json({ type: 'validation-error', 'error-message': `Line 2: ${quoted}` }, 400))
    const result = await client.createRecurringPayments({ payload: recurringRows('createRecurringPayments', [row]) })
    if (result.outcome === 'accepted') throw new Error('it was accepted')
    expect(said(result)).not.toContain('66</td>')
  })

  test.each(spellings)('quoted as %s', async (quoted) => {
    for (const exchange of [
      json({ type: 'validation-error', 'error-message': `Card ${quoted}` }, 400),
      json({ type: 'error', 'error-message': `Card ${quoted}`, 'serial-number': quoted }, 500),
      replied(403, `text/html; x=${quoted}`, `<p>${quoted}</p>`),
    ]) {
      const lines: string[] = []
      const log = (line: string) => lines.push(line)
      const client = createPaymentClient({ ...merchant, baseUrl, transport: fakeTransport(exchange, exchange), log })
      const result = await client.sale(sale)
      if (result.outcome === 'accepted') throw new Error('it was accepted')
      const said =
        inspect(result.error, { showHidden: true, depth: null }) +
        JSON.stringify([result.error, rawReplyOf(result.error), lines])
      const plain = said
        .normalize('NFKC')
        .replaceAll(/%3(\d)/g, '$1')
        .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
      expect(plain.replaceAll(/<[^>]*>|\D/g, '')).not.toContain(number)
      expect(plain).toContain('*')
    }
  })
})
