import { Test } from '@nestjs/testing'
import { describe, expect, test } from 'vitest'
import { getPaymentJournalToken, PaymentGatewayModule, PaymentsModule } from '../src/index.ts'
import { NO_GATEWAY } from './support.ts'

/** A program without types may pass anything. */
function forRoot(options: unknown) {
  return () => Reflect.apply(PaymentsModule.forRoot, PaymentsModule, [options])
}

function forRootAsync(options: unknown) {
  return () => Reflect.apply(PaymentsModule.forRootAsync, PaymentsModule, [options])
}

const nothing = () => ({ status: 200, headers: {}, body: '' })
const client = NO_GATEWAY
const ALL = 'there are name, global, client, callbacks, browserReturn, threeDsReturn, journal'

describe('forRoot refuses, naming the option', () => {
  test.each<readonly [string, unknown, string]>([
    ['no object', undefined, 'PaymentsModule.forRoot: the options must be an object'],
    [
      'an option that there is not',
      { client, callback: { path: 'cb' } },
      'PaymentsModule.forRoot: there is no option callback; did you mean callbacks?',
    ],
    ['what all objects have', { client, toString: 'x' }, `PaymentsModule.forRoot: there is no option toString; ${ALL}`],
    ['an empty name', { client, name: '' }, 'PaymentsModule.forRoot: name must be a text that is not empty'],
    ['a name that is none', { client, name: 7 }, 'PaymentsModule.forRoot: name must be a text'],
    ['a text for a flag', { client, global: 'yes' }, 'PaymentsModule.forRoot: global must be true or false'],
    ['no client', { name: 'eu' }, 'the instance eu: client must be given'],
    [
      'a client of another kind',
      { client: 'https://gate.example.com' },
      'PaymentsModule.forRoot: client must be an object',
    ],
    [
      'a journal in place of what makes one',
      { client, journal: { start() {}, close() {} } },
      'PaymentsModule.forRoot: journal must be a function that makes the journal',
    ],
    ['a path for a route', { client, callbacks: 'cb' }, 'PaymentsModule.forRoot: callbacks must be an object'],
    [
      'a path that is none',
      { client, callbacks: { path: /cb/, onOutcome: nothing } },
      'callbacks of the instance default: path must be a text',
    ],
    [
      'a misspelt path',
      { client, callbacks: { pth: 'cb', onOutcome: nothing } },
      'callbacks of the instance default: there is no option pth; did you mean path?',
    ],
    [
      'an option of a route that there is not',
      { name: 'eu', client, callbacks: { path: 'cb', onOutcom: nothing } },
      'callbacks of the instance eu: there is no option onOutcom; did you mean onOutcome?',
    ],
    [
      'a listener that is none',
      { client, callbacks: { path: 'cb', onOutcome: 'log' } },
      'callbacks of the instance default: onOutcome must be a function',
    ],
    [
      'decorators that are none',
      { client, callbacks: { path: 'cb', decorators: ['public'] } },
      'callbacks of the instance default: decorators must be a list, each item a decorator',
    ],
    [
      'a version that is none',
      { client, callbacks: { path: 'cb', version: [1] } },
      'callbacks of the instance default: version must be a text, a list of texts or VERSION_NEUTRAL',
    ],
    [
      'a listener for notices where the journal calls its own',
      { client, journal: () => undefined, callbacks: { path: 'cb', onNotice: nothing } },
      'the instance default: onOutcome, onNotice and onUnconfirmed are never called if there is a journal',
    ],
    [
      'a wait where the journal knows',
      { client, journal: () => undefined, browserReturn: { path: 'back', show: nothing, deadlineMs: 5 } },
      'browserReturn of the instance default: there is no option deadlineMs; there are path, decorators, version, show',
    ],
    [
      'an option of 3-D Secure that there is not',
      { client, threeDsReturn: { path: '3ds', show: nothing, returnURL: 'https://shop.example.com/3ds' } },
      'threeDsReturn of the instance default: there is no option returnURL; did you mean returnUrl?',
    ],
  ])('%s', (_name, options, message) => {
    expect(forRoot(options)).toThrow(TypeError)
    expect(forRoot(options)).toThrow(message)
  })
})

describe('forRootAsync refuses, naming the option', () => {
  const useFactory = () => ({ client })

  test.each<readonly [string, unknown, string]>([
    ['no object', null, 'PaymentsModule.forRootAsync: the options must be an object'],
    [
      'a setting beside the factory',
      { useFactory, client },
      'PaymentsModule.forRootAsync: there is no option client; there are name, global, callbacks, browserReturn, ' +
        'threeDsReturn, imports, useFactory, useClass, useExisting, inject',
    ],
    ['no factory', { name: 'eu' }, 'PaymentsModule.forRootAsync: give one of useFactory, useClass and useExisting'],
    [
      'two of them',
      { useFactory, useClass: class {} },
      'PaymentsModule.forRootAsync: give one of useFactory, useClass and useExisting',
    ],
    ['a factory that is none', { useFactory: {} }, 'PaymentsModule.forRootAsync: useFactory must be a function'],
    ['one import', { useFactory, imports: class {} }, 'PaymentsModule.forRootAsync: imports must be a list'],
    ['one token', { useFactory, inject: 'CONFIG' }, 'PaymentsModule.forRootAsync: inject must be a list'],
    [
      'a route without a path',
      { name: 'eu', useFactory, callbacks: { version: '1' } },
      'callbacks of the instance eu: path must be given',
    ],
    [
      'what a route does, which the factory gives',
      { useFactory, callbacks: { path: 'cb', onOutcome: nothing } },
      'callbacks of the instance default: there is no option onOutcome; there are path, decorators, version',
    ],
  ])('%s', (_name, options, message) => {
    expect(forRootAsync(options)).toThrow(TypeError)
    expect(forRootAsync(options)).toThrow(message)
  })

  test.each<readonly [string, object, string]>([
    [
      'an unknown setting',
      { useFactory: () => ({ client, journl: nothing }) },
      'the settings of the instance eu: there is no option journl; did you mean journal?',
    ],
    [
      'nothing',
      { useFactory: async () => undefined },
      'the settings of the instance eu: the options must be an object',
    ],
    ['no client', { useFactory: () => ({}) }, 'the instance eu: client must be given'],
    [
      'a setting of a route that there is not',
      { callbacks: { path: 'cb' }, useFactory: () => ({ client, callbacks: { path: 'elsewhere' } }) },
      'callbacks in the settings of the instance eu: there is no option path; there are onOutcome, onNotice, onUnconfirmed',
    ],
    ['a class of something else', { useClass: class Other {} }, 'must have createPaymentsSettings()'],
  ])('a factory that returns %s', async (_name, options, message) => {
    const make = forRootAsync({ name: 'eu', ...options })
    await expect(Test.createTestingModule({ imports: [make()] }).compile()).rejects.toThrow(message)
  })
})

test('a journal that lacks methods is refused, naming them', async () => {
  const journal = () => ({ start() {}, close() {}, inbox: {} })
  const imports = [forRoot({ name: 'eu', client, journal })()]
  await expect(Test.createTestingModule({ imports }).compile()).rejects.toThrow(
    'The option journal of the instance eu returned no journal: it has no browserReturn, no inbox.receive',
  )
})

test.each([
  ['a part of one', { pay: async () => ({}), start() {}, close() {} }, 'it has no browserReturn, no inbox.receive'],
  ['nothing', null, 'it has no start, no close, no browserReturn, no inbox.receive'],
])('%s as a replacement for a journal is refused, naming what it lacks', async (_what, double, lacks) => {
  const journal = () => ({ start() {}, close() {}, browserReturn() {}, inbox: { receive() {} } })
  const imports = [forRoot({ name: 'eu', client, journal, callbacks: { path: 'payments/callback' } })()]
  const builder = Test.createTestingModule({ imports })
  await expect(builder.overrideProvider(getPaymentJournalToken('eu')).useValue(double).compile()).rejects.toThrow(
    `The replacement for the journal of the instance eu is no journal: ${lacks}`,
  )
})

describe('PaymentGatewayModule refuses, naming the option', () => {
  const gateway = async () => ({ status: 200, headers: {}, body: '' })

  test.each<readonly [string, unknown, string]>([
    ['no path', { gateway }, 'PaymentGatewayModule.forRoot: path must be given'],
    ['no gateway', { path: 'paynet' }, 'PaymentGatewayModule.forRoot: gateway must be given'],
    [
      'options of a gateway in its place',
      { path: 'paynet', gateway: { publicUrl: 'http://127.0.0.1:3000/paynet' } },
      'PaymentGatewayModule.forRoot: gateway must be what createGateway returns, or its handle',
    ],
    [
      'an option that there is not',
      { path: 'paynet', gateway, prefix: 'x' },
      'PaymentGatewayModule.forRoot: there is no option prefix; there are path, decorators, version, gateway',
    ],
  ])('forRoot: %s', (_name, options, message) => {
    expect(() => Reflect.apply(PaymentGatewayModule.forRoot, PaymentGatewayModule, [options])).toThrow(message)
  })

  test.each<readonly [string, unknown, string]>([
    ['no factory', { path: 'paynet' }, 'PaymentGatewayModule.forRootAsync: useFactory must be given'],
    [
      'a gateway beside it',
      { path: 'paynet', useFactory: gateway, gateway },
      'PaymentGatewayModule.forRootAsync: there is no option gateway',
    ],
  ])('forRootAsync: %s', (_name, options, message) => {
    expect(() => Reflect.apply(PaymentGatewayModule.forRootAsync, PaymentGatewayModule, [options])).toThrow(message)
  })

  test.each<readonly [string, unknown, string]>([
    ['nothing', undefined, 'gateway must be given: what createGateway returns, or its handle'],
    [
      'options of a gateway',
      { publicUrl: 'http://127.0.0.1:3000/paynet' },
      'gateway must be what createGateway returns, or its handle',
    ],
  ])('a factory that returns %s', async (_name, made, message) => {
    const options = { path: 'paynet', useFactory: async () => made }
    const imports = [Reflect.apply(PaymentGatewayModule.forRootAsync, PaymentGatewayModule, [options])]
    await expect(Test.createTestingModule({ imports }).compile()).rejects.toThrow(
      `what useFactory of PaymentGatewayModule.forRootAsync returns: ${message}`,
    )
  })
})
