import { once } from 'node:events'
import { createServer } from 'node:net'
import { Pan } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import {
  accepted,
  buildInput,
  cards,
  cardWithFault,
  eachAdapterCase,
  fakeClient,
  fullReplyValues,
  gatewayFailed,
  passChallenge,
  passPaReq,
  refusalFixture,
  rejected,
  replyFixture,
  requestFixture,
  saleInput,
  serverToServer,
  signatureRefused,
  signedCallback,
  startGateway,
  unknown,
} from '../src/index.ts'
import { ADAPTER_PARSERS } from '../src/internal.ts'

/** A program without types may pass anything. */
function given<Given extends unknown[], Result>(method: (...values: Given) => Result) {
  return (...values: unknown[]): Result => Reflect.apply(method, undefined, values)
}

const GATEWAY_OPTIONS =
  'there are port, socket, trace, workbench, controlKey, currencies, limits, settleAfter, holdFor, store, vaultKeys, acquirer, clock, ids, sendCallback, ' +
  'replyFormat, sandbox, recorder, faults, allowRepeats, numericIds, maxConcurrentRequests, maxConcurrentRequestsPerMerchant, maxTriesPerCard, maxTriesPerAddress, trustedProxies, maxCallbackConnections, maxCallbackConnectionsPerMerchant, profile, onAnswer, onCallback, onDecision, onRecord, onLimit, onError'

describe('startGateway refuses, naming the option', () => {
  test.each<readonly [string, unknown, string]>([
    ['no object', 'USD', 'startGateway: the options must be an object'],
    ['a slip', { curencies: ['USD'] }, 'startGateway: there is no option curencies; did you mean currencies?'],
    [
      'other capitals',
      { sendcallback: () => {} },
      'startGateway: there is no option sendcallback; did you mean sendCallback?',
    ],
    ['nothing like it', { merchants: [] }, `startGateway: there is no option merchants; ${GATEWAY_OPTIONS}`],
    ['a text for a port', { port: '8080' }, 'startGateway: port must be a whole number from 0 to 65535'],
    ['a port that there is not', { port: 65_536 }, 'startGateway: port must be a whole number from 0 to 65535'],
    ['a text for a flag', { socket: 'false' }, 'startGateway: socket must be true or false'],
    ['an empty key', { controlKey: '' }, 'startGateway: controlKey must be a Secret, or a text that is not empty'],
    ['one currency', { currencies: 'USD' }, 'startGateway: currencies must be a list of ISO 4217 letters'],
    ['the number of one', { currencies: [840] }, 'startGateway: currencies must be a list of ISO 4217 letters'],
    ['no currency at all', { currencies: [] }, 'startGateway: currencies: is empty, so nothing could be paid'],
    [
      'small letters',
      { currencies: ['EUR', 'usd'] },
      'startGateway: currencies: usd is not a currency; did you mean USD?',
    ],
    [
      'a letter too many',
      { currencies: ['EURO'] },
      'startGateway: currencies: EURO is not a currency; did you mean EUR?',
    ],
    [
      'three letters that are none',
      { currencies: ['QQQ'] },
      'startGateway: currencies: QQQ is not a currency; write the three letters of ISO 4217, such as USD',
    ],
    ['a limit of another name', { limits: { minimum: '1.00' } }, 'startGateway: limits: there is no option minimum'],
    ['a limit in numbers', { limits: { min: 1 } }, 'startGateway: limits: min must be a text'],
    ['a limit that is no amount', { limits: { max: '1,00' } }, 'startGateway: limits: 1,00 is not an amount'],
    ['a time that is none', { holdFor: '7 days' }, 'startGateway: holdFor: A duration must be milliseconds from 0 on'],
    [
      'a clock that is none',
      { clock: Date },
      'startGateway: clock must be a clock, such as virtualClock(), with now(), schedule()',
    ],
    [
      'a slip in the profile',
      { profile: { exponent: 'iso-4217' } },
      'startGateway: profile: there is no option exponent; did you mean exponents?',
    ],
    ['a slip in faults', { faults: { sead: 1 } }, 'startGateway: faults: there is no option sead; did you mean seed?'],
    ['faults that are no object', { faults: true }, 'startGateway: faults must be an object'],
    [
      'a fault that is none',
      { faults: { only: ['slow'] } },
      'startGateway: faults: there is no fault slow; there are ',
    ],
    ['a profile of its own address', { profile: { baseUrl: 'https://x.test' } }, 'there is no option baseUrl'],
  ])('%s', async (_name, options, message) => {
    const starting = given(startGateway)(options)
    await expect(starting).rejects.toThrow(TypeError)
    await expect(given(startGateway)(options)).rejects.toThrow(message)
  })

  test('and leaves no port open', async () => {
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as { readonly port: number }
    probe.close()
    await once(probe, 'close')
    await expect(given(startGateway)({ port, holdFor: 'for ever' })).rejects.toThrow('holdFor')
    const gateway = await startGateway({ port })
    await gateway.close()
  })

  test('but accepts every currency of the world, including those with three and no decimals', async () => {
    const gateway = await startGateway({ socket: false, currencies: ['JPY', 'KWD', 'CLF', 'UYW', 'XCG', 'USD'] })
    await expect(gateway.close()).resolves.toBeUndefined()
  })
})

describe('the faults of a gateway', () => {
  test('need an existing operation', async () => {
    const gateway = await startGateway({ socket: false })
    const next = given<string[], unknown>((operation) => Reflect.apply(gateway.next, gateway, [operation]))
    expect(() => next('sail')).toThrow('gateway.next: there is no operation sail; did you mean sale?')
    await gateway.close()
  })

  test('need an existing name', () => {
    expect(() => given(cardWithFault)('callback-twise')).toThrow(
      'cardWithFault: there is no fault callback-twise; did you mean callback-twice?',
    )
    expect(() => given(cardWithFault)(undefined)).toThrow('there is no fault undefined')
  })
})

describe('fakeClient refuses, naming the option', () => {
  test.each<readonly [string, unknown, string]>([
    ['no object', null, 'fakeClient: the options must be an object'],
    ['a slip', { onwarning: () => {} }, 'fakeClient: there is no option onwarning; did you mean onWarning?'],
    [
      'an option of a client that this one makes up',
      { transport: {} },
      'fakeClient: there is no option transport; there are profile, clock, nonce, log, onWarning',
    ],
    [
      'a slip in the profile',
      { profile: { exponent: 'iso-4217' } },
      'there is no option exponent; did you mean exponents?',
    ],
    ['a value of the profile', { profile: { exponents: 2 } }, "exponents must be 'always-2' or 'iso-4217'"],
    ['a clock that is none', { clock: {} }, 'clock must be a clock, with now(), schedule()'],
    ['a nonce that is no function', { nonce: 'n1' }, 'nonce must be a function'],
    ['a log that is none', { log: console }, 'log must be a function'],
  ])('%s', (_name, options, message) => {
    expect(() => given(fakeClient)(options)).toThrow(TypeError)
    expect(() => given(fakeClient)(options)).toThrow(message)
  })

  test('an answer for an unknown operation, and one that is no answer', () => {
    const fake = fakeClient()
    const answer = given<unknown[], void>((...values) => Reflect.apply(fake.answer, fake, values))
    const always = given<unknown[], void>((...values) => Reflect.apply(fake.always, fake, values))
    expect(() => answer('Sale', accepted())).toThrow(
      'fakeClient.answer: there is no operation Sale; did you mean sale?',
    )
    expect(() => always('states', accepted())).toThrow(
      'fakeClient.always: there is no operation states; did you mean status?',
    )
    const message = 'give what accepted(), rejected() or the like returns, or a function that does'
    expect(() => answer('sale')).toThrow(`fakeClient.answer: ${message}`)
    expect(() => answer('sale', unknown(), { status: 'approved' })).toThrow(`fakeClient.answer: ${message}`)
    expect(() => always('sale', undefined)).toThrow(`fakeClient.always: ${message}`)
    fake.verify()
  })
})

describe('an answer', () => {
  test.each<readonly [string, () => unknown, string]>([
    [
      'a slip',
      () => given(accepted)({ statsu: 'approved' }),
      'accepted: there is no field statsu; did you mean status?',
    ],
    ['a number', () => given(accepted)({ amount: 7 }), 'accepted: amount must be a text'],
    ['numbers beside', () => given(accepted)({ extra: { a: 1 } }), 'accepted: extra must be an object of texts'],
    ['no object', () => given(accepted)('approved'), 'accepted: the fields must be an object, not string'],
    ['a slip of a status', () => accepted<'status'>({ status: 'aproved' }), 'accepted: status: did you mean approved?'],
    [
      'a slip of a refusal',
      () => given(rejected)({ errorMesage: 'x' }),
      'rejected: there is no field errorMesage; did you mean errorMessage?',
    ],
    ['a code in digits', () => given(gatewayFailed)({ errorCode: 7 }), 'gatewayFailed: errorCode must be a text'],
    ['no field of a refusal', () => given(signatureRefused)({ orderId: '7' }), 'there is no field orderId'],
  ])('has only existing fields: %s', (_name, answer, message) => {
    expect(answer).toThrow(TypeError)
    expect(answer).toThrow(message)
  })

  test('has the fields of its operation', () => {
    const fake = fakeClient()
    const answer = given<unknown[], void>((...values) => Reflect.apply(fake.answer, fake, values))
    expect(() => answer('sale', accepted<'status'>({ amount: '7.00' }))).toThrow(
      "fakeClient.answer('sale', accepted()): there is no field amount; there are ",
    )
    fake.verify()
  })

  test('of a function is checked when it is called, and a wrong one ends the call', async () => {
    const fake = fakeClient()
    fake.answer('sale', () => given(accepted)({ amount: '7.00' }) as never)
    await expect(fake.sale(saleInput())).rejects.toThrow('there is no field amount')
    fake.answer('sale', () => ({ status: 'approved' }) as never)
    await expect(fake.sale(saleInput())).rejects.toThrow('a function that answers: give what accepted()')
    fake.answer('status', () => {
      throw new Error('the test is wrong')
    })
    await expect(fake.status({ clientOrderId: 'a-1-z' })).rejects.toThrow('the test is wrong')
  })

  test('may have an unknown status, and one that is misspelt on purpose', async () => {
    const fake = fakeClient()
    fake.answer('status', accepted({ status: 'refunded' }), accepted({ status: 'denied' }))
    fake.answer('status', accepted({ extra: { status: 'aproved' } }))
    const told = async () => (await fake.status({ clientOrderId: 'a-1-z' })).status
    expect([await told(), await told(), await told()]).toEqual(['refunded', 'denied', 'aproved'])
  })
})

describe('builders and fixtures', () => {
  test.each<readonly [string, () => unknown, string]>([
    [
      'a number for an amount',
      () => given(saleInput)({ amount: 7 }),
      "buildInput('sale'): amount must be a decimal text",
    ],
    ['null', () => given(saleInput)({ email: null }), 'of at most 50 characters; not null'],
    [
      'a yes for a month',
      () => given(saleInput)({ expireMonth: true }),
      'expireMonth must be a whole number from 1 to 12',
    ],
    ['an object', () => given(saleInput)({ cardNumber: {} }), 'cardNumber must be 12 to 19 digits'],
    ['a list beside', () => given(saleInput)({ extra: ['a'] }), "buildInput('sale'): extra must be an object of texts"],
    ['undefined', () => given(saleInput)(undefined), "buildInput('sale'): the fields must be an object, not undefined"],
    ['undefined by name', () => given(buildInput)('sale', undefined), 'not undefined: is the name of the variable'],
    [
      'a slip in a reply',
      () => given(replyFixture)('status', 'classic', { statsu: 'x' }),
      "replyValues('status'): there is no field statsu; did you mean status?",
    ],
    ['a number in a reply', () => given(replyFixture)('status', 'json', { amount: 7 }), 'amount must be a text'],
    [
      'a format',
      () => given(replyFixture)('status', 'clasic'),
      'replyFixture: there is no format clasic; did you mean classic?',
    ],
    [
      'a format of a refusal',
      () => given(refusalFixture)('error', 'jsno'),
      'refusalFixture: there is no format jsno; did you mean json?',
    ],
    [
      'a kind of refusal',
      () => given(refusalFixture)('validation', 'json'),
      'refusalFixture: there is no kind validation; there are validation-error, error',
    ],
    [
      'a slip in a refusal',
      () => given(refusalFixture)('error', 'json', { errorMesage: 'x' }),
      'refusalFixture: there is no field errorMesage; did you mean errorMessage?',
    ],
    ['an operation', () => given(fullReplyValues)('payOut'), 'fullReplyValues: there is no operation payOut'],
  ])('refuse %s', (_name, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  test('accept what the fields accept, and texts that are wrong on purpose', () => {
    const card = { expireMonth: 13, expireYear: 2039, cardNumber: new Pan('4444555566661111'), cvv2: undefined }
    expect(saleInput({ ...card, browserInfo: true, amount: 'seven' })).toMatchObject({
      expireMonth: 13,
      amount: 'seven',
    })
    expect(buildInput('createRecurringPayment', { interval: 2 }).interval).toBe(2)
  })

  test('need an existing operation', async () => {
    const message = 'there is no operation payOut; did you mean payout?'
    expect(() => given(buildInput)('payOut')).toThrow(`buildInput: ${message}`)
    expect(() => given(replyFixture)('payOut')).toThrow(message)
    await expect(given(requestFixture)('payOut')).rejects.toThrow(message)
  })

  test('have only existing options', async () => {
    await expect(given(requestFixture)('sale', {}, { formt: 'json' })).rejects.toThrow(
      'requestFixture: there is no option formt; did you mean format?',
    )
    await expect(given(requestFixture)('sale', {}, { format: 'xml' })).rejects.toThrow(
      "format must be 'json' or 'classic'",
    )
  })
})

describe('the customer at the bank', () => {
  const NO_SUCH_ANSWER = "the customer's answer: there is no confirm; did you mean confirms?"

  test('can only give an existing answer, on the pages of the gateway and at the issuer', async () => {
    await using gateway = await startGateway({ socket: false })
    const client = gateway.client()
    const onPages = await client.saleForm(buildInput('saleForm'))
    const address = onPages.outcome === 'accepted' ? onPages.reply.redirectUrl : undefined
    const paying = given(gateway.payOnPages)(address, cards.threeDsChallenge, 'confirm')
    await expect(paying).rejects.toThrow(new TypeError(NO_SUCH_ANSWER))

    const sale = saleInput({ ...cards.threeDsChallenge, ...serverToServer })
    await client.sale(sale)
    await gateway.settled()
    const status = await client.status({ clientOrderId: sale.clientOrderId })
    const passing = given(passChallenge)(status, 'confirm', gateway.fetch)
    await expect(passing).rejects.toThrow(new TypeError(NO_SUCH_ANSWER))
  })

  test('needs the fetch of a gateway without a socket', async () => {
    const shown = { creqFormAcsUrl: 'http://127.0.0.1:1/acs', creqFormCreq: 'e30' }
    await expect(passChallenge(shown)).rejects.toThrow(
      'The simulated issuer at http://127.0.0.1:1/acs cannot be reached: give gateway.fetch if the gateway has no socket',
    )
  })
})

test('signing a callback needs a key, such as that of gateway.merchant', () => {
  const callback = { status: 'approved', orderId: '1', clientOrderId: 'invoice-77-a' }
  expect(() => given(signedCallback)(callback, undefined)).toThrow(
    new TypeError('signedCallback: the control key must be a text or a Secret, such as gateway.merchant.controlKey'),
  )
})

describe('eachAdapterCase refuses to run nothing', () => {
  const each = given(eachAdapterCase)

  test.each<readonly [string, readonly string[], string]>([
    ['a parser that there is not', ['raw', 'urlencode'], 'there is no parser urlencode; did you mean urlencoded?'],
    ['no parser', [], 'parsers is empty, and no case would run'],
  ])('%s', (_name, parsers, message) => {
    expect(() =>
      each(
        async () => {},
        () => {},
        { parsers },
      ),
    ).toThrow(`eachAdapterCase: ${message}`)
  })

  test('and runs cases of each parser', () => {
    const names: string[] = []
    each(
      async () => {},
      (name: string) => names.push(name),
    )
    for (const parser of ADAPTER_PARSERS)
      expect(names.filter((name) => name.endsWith(`behind ${parser}`))).not.toEqual([])
  })
})

describe('a call without arguments names what it needs', () => {
  test.each<readonly [string, () => unknown, string]>([
    ['passChallenge', given(passChallenge), 'passChallenge: status must be given: what client.status returns'],
    ['passPaReq', given(passPaReq), 'passPaReq: status must be given: what client.status returns'],
    [
      'signedCallback',
      given(signedCallback),
      'signedCallback: callback must be given: a callback, with clientOrderId, ',
    ],
    ['eachAdapterCase', given(eachAdapterCase), 'eachAdapterCase: mount must be given: a function that starts an app'],
    [
      'eachAdapterCase, without a runner',
      () => given(eachAdapterCase)(async () => {}),
      'eachAdapterCase: test must be given: test of your test runner',
    ],
  ])('%s', async (_name, act, message) => {
    await expect(async () => await act()).rejects.toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
    )
  })
})
