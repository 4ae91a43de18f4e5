import { type INestApplication, Injectable, type ModuleMetadata, Scope } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { describe, expect, test } from 'vitest'
import { InjectPaymentJournal, OnPaymentOutcome, type OutcomeFilter, PaymentsModule } from '../../src/index.ts'
import { moduleOf, NO_GATEWAY, PLATFORMS, startApp } from '../support.ts'
import { FakeJournal, withJournal } from './fake-journal.ts'

const withCallbacks = (name: string, onOutcome: () => void = () => {}) =>
  PaymentsModule.forRoot({ name, client: NO_GATEWAY, callbacks: { path: name, onOutcome } })

const withNeither = (name: string) => PaymentsModule.forRoot({ name, client: NO_GATEWAY })

/** A class with one method with this filter. */
function listener(filter: object) {
  @Injectable()
  class Shipping {
    @OnPaymentOutcome(filter as OutcomeFilter)
    ship() {}
  }
  return Shipping
}

describe.each(PLATFORMS)('an app on %s does not start', (_platform, adapter) => {
  const start = (metadata: ModuleMetadata) => startApp(adapter, metadata)

  test.each<readonly [string, OutcomeFilter | object, string]>([
    [
      'a status that does not exist',
      { status: 'aproved' },
      'Shipping.ship listens for the status aproved, which does not exist; did you mean approved?',
    ],
    [
      'a status like no other',
      { status: 'shipped-tomorrow' },
      'which does not exist; there are approved, declined, filtered, error, checked',
    ],
    [
      'a status that is not final',
      { status: 'processing' },
      'Shipping.ship listens for the status processing, which is not final, so no outcome has it',
    ],
    [
      'an operation that does not exist',
      { operation: 'sail' },
      'Shipping.ship listens for the operation sail, which does not exist; did you mean sale?',
    ],
    [
      'an operation without outcome',
      { operation: 'getCardInfo' },
      'Shipping.ship listens for the operation getCardInfo, which has no outcome',
    ],
    [
      'an instance that is not registered',
      { instance: 'uk' },
      'Shipping.ship listens for the instance uk, which is not registered; there are callbacks, journal, neither',
    ],
    [
      'an instance that is misspelt',
      { instance: 'jornal' },
      'Shipping.ship listens for the instance jornal, which is not registered; did you mean journal?',
    ],
    [
      'a type of transaction that is empty',
      { transactionType: ['sale', ''] },
      'Shipping.ship listens for an empty transactionType, which no outcome has',
    ],
    ...['createCardRef', 'createCardRefV4', 'createRecurringPayment'].map(
      (operation) =>
        [
          `a stored card by its type: ${operation}`,
          { operation: ['sale', operation], transactionType: 'sale' },
          `Shipping.ship listens for ${operation} by transactionType, which a stored card does not have`,
        ] as const,
    ),
    [
      'an instance without outcomes',
      { instance: 'neither' },
      'Shipping.ship can never be called: the instance neither has neither a route for callbacks nor a journal',
    ],
    [
      'an operation, without a journal',
      { instance: ['callbacks', 'journal'], operation: 'sale' },
      'Shipping.ship can never be called: without a journal the instance callbacks does not know the operation; filter by transactionType',
    ],
    [
      'changes that are not called notices, without a journal',
      { instance: 'callbacks', transactionType: ['Reversal', 'chargeback'] },
      "only knows the status, and changes of an order are notices; set `kind: 'notice'`",
    ],
    [
      'notices of payments, without a journal',
      { instance: 'callbacks', kind: 'notice', transactionType: 'sale' },
      'only knows the status, and only changes of an order are notices; leave `kind` out',
    ],
    [
      'a status that only journals have, without a journal',
      { instance: 'callbacks', status: 'checked' },
      'Shipping.ship can never be called: without a journal the instance callbacks has no status checked',
    ],
    ['an empty list', { status: [] }, 'Shipping.ship has an empty list, which no outcome passes'],
    [
      'a kind that does not exist',
      { kind: 'notices' },
      'Shipping.ship listens for the kind notices, which does not exist; did you mean notice?',
    ],
    [
      'notices of an operation that opens no order',
      { kind: 'notice', operation: ['sale', 'capture'] },
      'Shipping.ship listens for notices of capture, which opens no order; there are notices of sale, saleForm, preauth',
    ],
    [
      'notices of a card that was stored',
      { kind: 'notice', operation: 'createCardRef' },
      'Shipping.ship listens for notices of createCardRef, which opens no order',
    ],
    [
      'notices with the status checked',
      { kind: 'notice', status: ['approved', 'checked'] },
      'Shipping.ship listens for notices with the status checked, which none has',
    ],
    [
      'a status that only another operation has',
      { status: ['approved', 'checked'], operation: 'payout' },
      'Shipping.ship listens for the status checked of payout; only payoutCheck has it',
    ],
    [
      'an operation that never has the status',
      { status: 'checked', operation: ['payoutCheck', 'payout'] },
      'Shipping.ship listens for the status checked of payout; only payoutCheck has it',
    ],
  ])('with a method that listens for %s', async (_name, filter, message) => {
    const imports = [withCallbacks('callbacks'), withJournal('journal'), withNeither('neither')]
    await expect(start({ imports, providers: [listener(filter)] })).rejects.toThrow(message)
  })

  test('with a method that no instance can call', async () => {
    const metadata = { imports: [withNeither('eu'), withNeither('us')], providers: [listener({})] }
    await expect(start(metadata)).rejects.toThrow(/instance eu has neither .*\n- .*instance us has neither/)
  })

  test('and names everything that is wrong at once', async () => {
    const metadata = { imports: [withJournal('eu')], providers: [listener({ status: 'gone', operation: 'status' })] }
    await expect(start(metadata)).rejects.toThrow(/the status gone[\s\S]*the operation status/)
  })

  test('with two instances of one name, global or not', async () => {
    const imports = [withNeither('eu'), { ...withNeither('eu'), global: true }]
    await expect(start({ imports })).rejects.toThrow('2 instances have the name eu')
    const far = moduleOf({ imports: [PaymentsModule.forRoot({ client: NO_GATEWAY })] })
    const near = PaymentsModule.forRootAsync({ useFactory: () => ({ client: NO_GATEWAY }) })
    await expect(start({ imports: [near, far] })).rejects.toThrow('2 instances have the name default')
  })

  test('but does with a method that a journal can call', async () => {
    const filters = [
      { status: 'checked', operation: 'payoutCheck' },
      { status: ['approved', 'checked'], operation: ['payoutCheck', 'payoutPay'] },
      { kind: 'notice', operation: ['sale', 'payoutForm', 'makeRebill'], status: 'approved' },
      { kind: 'notice', transactionType: 'chargeback' },
      { operation: 'createCardRef' },
    ]
    for (const filter of filters) {
      const starting = start({ imports: [withJournal('eu')], providers: [listener(filter)] })
      await expect(starting).resolves.toHaveProperty('url')
    }
  })

  test('with two routes of one path', async () => {
    const browserReturn = { path: 'pay/back', show: () => ({ status: 200, headers: {}, body: '' }) }
    const eu = PaymentsModule.forRoot({ name: 'eu', client: NO_GATEWAY, browserReturn })
    const us = (options: object) =>
      PaymentsModule.forRootAsync({
        name: 'us',
        useFactory: () => ({ client: NO_GATEWAY, callbacks: { onOutcome: () => {} } }),
        callbacks: { path: '/pay/back/', ...options },
      })
    await expect(start({ imports: [eu, us({})] })).rejects.toThrow(
      'browserReturn.path of the instance eu and callbacks.path of the instance us are both pay/back: give each a path',
    )
    const versions = { prepare: (app: INestApplication) => void app.enableVersioning() }
    await startApp(adapter, { imports: [eu, us({ version: '2' })] }, versions)
    await expect(startApp(adapter, { imports: [eu, us({})] }, versions)).rejects.toThrow(
      'are both pay/back: give each a path or a version of its own',
    )
    await expect(start({ imports: [eu, us({ version: '2' })] })).rejects.toThrow(
      'are both pay/back: give each a path of its own; the app has no versioning',
    )
    const both = { client: NO_GATEWAY, browserReturn, callbacks: { path: 'pay/back', onOutcome: () => {} } }
    await expect(start({ imports: [PaymentsModule.forRoot(both)] })).rejects.toThrow(
      'callbacks.path of the instance default and browserReturn.path of the instance default are both pay/back',
    )
  })

  test('with outcomes that nothing handles', async () => {
    const imports = [PaymentsModule.forRoot({ name: 'eu', client: NO_GATEWAY, callbacks: { path: 'eu' } })]
    await expect(start({ imports })).rejects.toThrow('nothing handles the outcomes of the instance eu')
    const others = { imports: [...imports, withJournal('us')] }
    await expect(start({ ...others, providers: [listener({ instance: 'us' })] })).rejects.toThrow('nothing handles')
    await expect(start({ ...others, providers: [listener({ operation: 'sale' })] })).rejects.toThrow('nothing handles')
    await start({ ...others, providers: [listener({ status: 'approved' })] })
  })

  test.each([{ status: 'aproved' }, { operation: 'sail' }, { operation: 'sale' }, { instance: 'defualt' }])(
    'with a method with a wrong filter, which is reported once (%o)',
    async (filter) => {
      const imports = [PaymentsModule.forRoot({ client: NO_GATEWAY, callbacks: { path: 'payments' } })]
      const failed = await start({ imports, providers: [listener(filter)] }).catch(String)
      expect(failed).toMatch(/^TypeError: Payments cannot start:\n- Shipping.ship .*$/)
    },
  )

  test.each([
    [Scope.REQUEST, 'a factory of requests'],
    [Scope.TRANSIENT, 'a transient factory'],
  ])('with a wrong filter on a method of what a factory creates (%i: %s)', async (scope) => {
    const Shipping = listener({ status: 'aproved' })
    const providers = [{ provide: Shipping, scope, useFactory: async () => new Shipping() }]
    await expect(start({ imports: [withJournal('eu')], providers })).rejects.toThrow(
      'Shipping.ship listens for the status aproved, which does not exist',
    )
  })

  test('with a class that two modules provide', async () => {
    const Shipping = listener({})
    const other = moduleOf({ providers: [Shipping] })
    await expect(start({ imports: [withJournal('eu'), other], providers: [Shipping] })).rejects.toThrow(
      /Shipping.ship is provided by AppModule and AppModule and would be called twice/,
    )
  })
})

describe.each(PLATFORMS)('settings on %s', (_platform, adapter) => {
  /** A provider of settings with this scope. */
  function settingsOf(scope: Scope) {
    @Injectable({ scope })
    class Tenant {
      createPaymentsSettings() {
        return { client: NO_GATEWAY }
      }
    }
    const TenantModule = moduleOf({ providers: [Tenant], exports: [Tenant] })
    return { Tenant, TenantModule }
  }

  const { Tenant, TenantModule } = settingsOf(Scope.REQUEST)

  test.each([
    [
      'useFactory',
      { inject: [Tenant], useFactory: (tenant: InstanceType<typeof Tenant>) => tenant.createPaymentsSettings() },
    ],
    ['useClass', { useClass: Tenant }],
    ['useExisting', { useExisting: Tenant }],
  ])(
    'that would be created for each request are refused, with the name of the instance: %s',
    async (_way, settings) => {
      const imports = [
        PaymentsModule.forRootAsync({ name: 'eu', callbacks: { path: 'eu' }, imports: [TenantModule], ...settings }),
        withCallbacks('us'),
      ]
      const providers = [listener({ instance: 'eu' })]
      const failed = await startApp(adapter, { imports, providers }).catch(String)
      expect(failed).toBe(
        'TypeError: Payments cannot start:\n- the settings of the instance eu are created once, but something injected for them ' +
          'is request-scoped',
      )
    },
  )

  test('may be created by a transient provider', async () => {
    const transient = settingsOf(Scope.TRANSIENT)
    const imports = [PaymentsModule.forRootAsync({ imports: [transient.TenantModule], useExisting: transient.Tenant })]
    await expect(startApp(adapter, { imports })).resolves.toBeDefined()
  })
})

test('a process without routes, such as a worker, has no colliding paths although it cannot enable versions', async () => {
  const callbacks = { path: 'cb', onOutcome: () => {} }
  const imports = ['1', '2'].map((version) =>
    PaymentsModule.forRoot({ name: `v${version}`, client: NO_GATEWAY, callbacks: { ...callbacks, version } }),
  )
  const worker = await NestFactory.createApplicationContext(moduleOf({ imports }), {
    logger: false,
    abortOnError: false,
  })
  await expect(worker.close()).resolves.toBeUndefined()
})

test('the object that one forRoot returned may be imported twice: it is one instance, started once', async () => {
  const made: FakeJournal[] = []
  const journal = (...parts: ConstructorParameters<typeof FakeJournal>) => {
    const one = new FakeJournal(...parts)
    made.push(one)
    return one
  }
  const payments = PaymentsModule.forRoot({ name: 'eu', client: NO_GATEWAY, journal })
  @Injectable()
  class Near {
    readonly journal: FakeJournal

    constructor(@InjectPaymentJournal('eu') journal: FakeJournal) {
      this.journal = journal
    }
  }
  @Injectable()
  class Far {
    readonly journal: FakeJournal

    constructor(@InjectPaymentJournal('eu') journal: FakeJournal) {
      this.journal = journal
    }
  }
  const other = moduleOf({ imports: [payments], providers: [Far] })
  const metadata = { imports: [payments, other], providers: [Near] }
  const { app } = await startApp(PLATFORMS[0]?.[1] ?? expect.fail(), metadata)
  expect(made.map(({ events }) => events)).toEqual([['started']])
  expect(app.get(Near).journal).toBe(made[0])
  expect(app.get(Far, { strict: false }).journal).toBe(made[0])
})

describe('the decorator refuses', () => {
  const message = (what: string) => new RegExp(`@OnPaymentOutcome is for methods of instances; ${what} is none`)

  test('a property, an accessor, a static method and a class', () => {
    const decorate = OnPaymentOutcome('approved')
    class Shop {
      get open() {
        return true
      }
      static open() {}
    }
    const accessor = Object.getOwnPropertyDescriptor(Shop.prototype, 'open') ?? expect.fail()
    const method = Object.getOwnPropertyDescriptor(Shop, 'open') ?? expect.fail()
    expect(() => Reflect.apply(decorate, undefined, [Shop.prototype, 'onApproved'])).toThrow(message('Shop.onApproved'))
    expect(() => decorate(Shop.prototype, 'open', accessor)).toThrow(message('Shop.open'))
    expect(() => decorate(Shop, 'open', method)).toThrow(message('Shop.open'))
    expect(() => Reflect.apply(decorate, undefined, [Shop])).toThrow(message('Shop.undefined'))
  })
})

describe('the decorator refuses with the name of the method', () => {
  test.each<readonly [string, unknown, string]>([
    ['a filter that there is not', { statuses: 'approved' }, 'there is no option statuses; did you mean status?'],
    [
      'nothing like a filter',
      { amount: '1.00' },
      'there is no option amount; there are status, operation, transactionType, kind, instance',
    ],
    ['a number', { status: 200 }, 'status must be a text or a list of texts'],
    ['a list with a number', { instance: ['eu', 7] }, 'instance must be a text or a list of texts'],
    ['two kinds', { kind: ['outcome', 'notice'] }, 'kind must be a text'],
    ['a list in place of a filter', ['approved'], 'the options must be an object'],
    ['null', null, 'the options must be an object'],
  ])('%s', (_name, filter, message) => {
    expect(() => listener(filter as object)).toThrow(`@OnPaymentOutcome of Shipping.ship: ${message}`)
    expect(() => listener(filter as object)).toThrow(TypeError)
  })
})

describe('settings that have no effect are refused', () => {
  test('listeners beside a journal', () => {
    const options = {
      client: NO_GATEWAY,
      journal: (...parts: ConstructorParameters<typeof FakeJournal>) => new FakeJournal(...parts),
      callbacks: { path: 'cb', onOutcome: () => {} },
    }
    // @ts-expect-error: the types say so already
    expect(() => PaymentsModule.forRoot(options)).toThrow(/never called if there is a journal/)
  })

  test('a journal that is not one', async () => {
    const browserReturn = { path: 'back', show: () => ({ status: 200, headers: {}, body: '' }) }
    // @ts-expect-error: the types say so already
    const imports = [PaymentsModule.forRoot({ client: NO_GATEWAY, journal: () => undefined, browserReturn })]
    const start = startApp(PLATFORMS[0]?.[1] ?? expect.fail(), { imports })
    await expect(start).rejects.toThrow(
      'The option journal of the instance default returned no journal: it has no start',
    )
  })

  test.each(['callbacks', 'browserReturn', 'threeDsReturn'])('%s without a path', async (route) => {
    const settings = { client: NO_GATEWAY, [route]: { show: () => ({ status: 200, headers: {}, body: '' }) } }
    const imports = [PaymentsModule.forRootAsync({ useFactory: () => settings })]
    const start = startApp(PLATFORMS[0]?.[1] ?? expect.fail(), { imports })
    await expect(start).rejects.toThrow(`${route} has settings but no path`)
  })

  test.each(['browserReturn', 'threeDsReturn'])('the route %s without settings', async (route) => {
    const imports = [
      PaymentsModule.forRootAsync({ [route]: { path: 'back' }, useFactory: () => ({ client: NO_GATEWAY }) }),
    ]
    const start = startApp(PLATFORMS[0]?.[1] ?? expect.fail(), { imports })
    await expect(start).rejects.toThrow(`route ${route}, but its settings do not say what to show`)
  })
})
