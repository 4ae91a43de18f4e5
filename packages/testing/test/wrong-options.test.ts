import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  ADAPTER_PARSERS,
  accepted,
  buildInput,
  cardWithFault,
  eachAdapterCase,
  fakeClient,
  replyFixture,
  requestFixture,
  startGateway,
  unknown,
} from '../src/index.ts'

/** A program without types may hand over anything. */
function given<Given extends unknown[], Result>(method: (...values: Given) => Result) {
  return (...values: unknown[]): Result => Reflect.apply(method, undefined, values)
}

const GATEWAY_OPTIONS =
  'there are port, socket, currencies, limits, settleAfter, holdFor, store, vaultKeys, acquirer, clock, ids, sendCallback, ' +
  'replyFormat, sandbox, chaos, allowRepeats, numericIds, maxConcurrentRequests, profile, onAnswer, onCallback, onError'

describe('startGateway refuses, naming the option', () => {
  test.each<readonly [string, unknown, string]>([
    ['no object', 'USD', 'startGateway: must be an object of options'],
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
    ['one currency', { currencies: 'USD' }, 'startGateway: currencies must be a list of the letters of ISO 4217'],
    ['the number of one', { currencies: [840] }, 'startGateway: currencies must be a list of the letters of ISO 4217'],
    ['no currency at all', { currencies: [] }, 'startGateway: currencies is empty, so nothing could be paid'],
    [
      'small letters',
      { currencies: ['EUR', 'usd'] },
      'startGateway: currencies: usd is no currency; did you mean USD?',
    ],
    ['a letter too many', { currencies: ['EURO'] }, 'startGateway: currencies: EURO is no currency; did you mean EUR?'],
    [
      'three letters that are none',
      { currencies: ['QQQ'] },
      'startGateway: currencies: QQQ is no currency; write the three letters of ISO 4217, as USD',
    ],
    ['a limit of another name', { limits: { minimum: '1.00' } }, 'startGateway: limits: there is no option minimum'],
    ['a limit in numbers', { limits: { min: 1 } }, 'startGateway: limits: min must be a text'],
    ['a limit that is no amount', { limits: { max: '1,00' } }, 'startGateway: limits: 1,00 is no amount'],
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

  test('but takes every currency of the world, those of three and no decimals, too', async () => {
    const gateway = await startGateway({ socket: false, currencies: ['JPY', 'KWD', 'CLF', 'UYW', 'XCG', 'USD'] })
    await gateway.close()
  })
})

describe('what a gateway is told', () => {
  test('names an operation that there is', async () => {
    const gateway = await startGateway({ socket: false })
    const next = given<string[], unknown>((operation) => Reflect.apply(gateway.next, gateway, [operation]))
    expect(() => next('sail')).toThrow('gateway.next: there is no operation sail; did you mean sale?')
    await gateway.close()
  })

  test('names a fault that there is', () => {
    expect(() => given(cardWithFault)('callback-twise')).toThrow(
      'cardWithFault: there is no fault callback-twise; did you mean callback-twice?',
    )
    expect(() => given(cardWithFault)(undefined)).toThrow('there is no fault undefined')
  })
})

describe('fakeClient refuses, naming the option', () => {
  test.each<readonly [string, unknown, string]>([
    ['no object', null, 'fakeClient: must be an object of options'],
    ['a slip', { onwarning: () => {} }, 'fakeClient: there is no option onwarning; did you mean onWarning?'],
    [
      'what a client takes and this one makes up',
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

  test('an answer for an operation that there is not, and one that is none', () => {
    const fake = fakeClient()
    const answer = given<unknown[], void>((...values) => Reflect.apply(fake.answer, fake, values))
    const always = given<unknown[], void>((...values) => Reflect.apply(fake.always, fake, values))
    expect(() => answer('Sale', accepted())).toThrow(
      'fakeClient.answer: there is no operation Sale; did you mean sale?',
    )
    expect(() => always('states', accepted())).toThrow(
      'fakeClient.always: there is no operation states; did you mean status?',
    )
    const message = 'give what accepted(), rejected() or another of these makes, or a function that does'
    expect(() => answer('sale')).toThrow(`fakeClient.answer: ${message}`)
    expect(() => answer('sale', unknown(), { status: 'approved' })).toThrow(`fakeClient.answer: ${message}`)
    expect(() => always('sale', undefined)).toThrow(`fakeClient.always: ${message}`)
    fake.verify()
  })
})

describe('builders and fixtures', () => {
  test('are of operations that there are', async () => {
    const message = 'there is no operation payOut; did you mean payout?'
    expect(() => given(buildInput)('payOut')).toThrow(`buildInput: ${message}`)
    expect(() => given(replyFixture)('payOut')).toThrow(message)
    await expect(given(requestFixture)('payOut')).rejects.toThrow(message)
  })

  test('have options that there are', async () => {
    await expect(given(requestFixture)('sale', {}, { formt: 'json' })).rejects.toThrow(
      'requestFixture: there is no option formt; did you mean format?',
    )
    await expect(given(requestFixture)('sale', {}, { format: 'xml' })).rejects.toThrow(
      "format must be 'json' or 'classic'",
    )
  })
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
