import { type INestApplication, Injectable, type ModuleMetadata, Scope } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { describe, expect, test } from 'vitest'
import { InjectPaymentJournal, OnPaymentOutcome, PaymentsModule } from '../../src/index.ts'
import type { OutcomeFilter } from '../../src/outcomes/on-payment-outcome.decorator.ts'
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

describe.each(PLATFORMS)('an app on %s does not start', (platform, adapter) => {
  const start = (metadata: ModuleMetadata) => startApp(adapter, metadata)

  test.each<readonly [string, object, string]>([
    ['a misspelt status', { status: 'aproved' }, 'for status aproved: did you mean approved?'],
    [
      'a status that is not final',
      { status: 'processing' },
      'for status processing: there are approved, declined, filtered, error, checked',
    ],
    ['an operation that does not exist', { operation: 'sail' }, 'for operation sail: did you mean sale?'],
    ['an operation without outcome', { operation: 'getCardInfo' }, 'for operation getCardInfo: there are sale'],
    ['a kind that does not exist', { kind: 'notices' }, 'for kind notices: did you mean notice?'],
    ['an instance that is not registered', { instance: 'uk' }, 'for instance uk: there are callbacks, journal'],
    ['a misspelt instance', { instance: ['callbacks', 'jornal'] }, 'for instance jornal: did you mean journal?'],
    ['an instance that reports nothing', { instance: 'neither' }, 'for instance neither: there are callbacks, journal'],
    ['an empty list', { status: [] }, 'for kind outcome, status none together'],
    [
      'an operation, at an instance without a journal',
      { instance: ['callbacks', 'journal'], operation: 'sale' },
      'for instance callbacks, kind outcome, operation sale together',
    ],
    [
      'a status that only journals report, at an instance without one',
      { instance: 'callbacks', status: 'checked' },
      'for instance callbacks, kind outcome, status checked together',
    ],
    [
      'notices of an operation that opens no order',
      { kind: 'notice', operation: ['sale', 'capture'] },
      'for kind notice, operation capture together',
    ],
    [
      'notices of a card that was stored',
      { kind: 'notice', operation: 'createCardRef' },
      'for kind notice, operation createCardRef together',
    ],
    [
      'notices with the status checked',
      { kind: 'notice', status: ['approved', 'checked'] },
      'for kind notice, status checked together',
    ],
    [
      'a status that only another operation has',
      { status: ['approved', 'checked'], operation: 'payout' },
      'for kind outcome, operation payout, status checked together',
    ],
    [
      'an operation that never has the status',
      { status: 'checked', operation: ['payoutCheck', 'payout'] },
      'for kind outcome, operation payout, status checked together',
    ],
  ])('with a method that listens for %s', async (_name, filter, message) => {
    const imports = [withCallbacks('callbacks'), withJournal('journal'), withNeither('neither')]
    await expect(start({ imports, providers: [listener(filter)] })).rejects.toThrow(
      `Shipping.ship is never called ${message}`,
    )
  })

  test('with a method that no instance can call', async () => {
    const metadata = { imports: [withNeither('eu'), withNeither('us')], providers: [listener({})] }
    await expect(start(metadata)).rejects.toThrow(
      'Shipping.ship is never called for kind outcome: no instance has a journal or a route for callbacks',
    )
  })

  test('with a method for an operation, if no instance has a journal', async () => {
    const metadata = { imports: [withCallbacks('eu')], providers: [listener({ operation: 'sale' })] }
    await expect(start(metadata)).rejects.toThrow(/for operation sale: no instance has a journal$/)
  })

  test('and names everything that is wrong at once', async () => {
    const metadata = { imports: [withJournal('eu')], providers: [listener({ status: 'gone', operation: 'status' })] }
    await expect(start(metadata)).rejects.toThrow(/for operation status[\s\S]*for status gone/)
  })

  test('with two instances of one name, global or not', async () => {
    const imports = [withNeither('eu'), { ...withNeither('eu'), global: true }]
    await expect(start({ imports })).rejects.toThrow('two instances have the name eu')
    const far = moduleOf({ imports: [PaymentsModule.forRoot({ client: NO_GATEWAY })] })
    const near = PaymentsModule.forRootAsync({ useFactory: () => ({ client: NO_GATEWAY }) })
    await expect(start({ imports: [near, far] })).rejects.toThrow('two instances have the name default')
  })

  test('but does with a method that a journal can call', async () => {
    const filters = [
      { status: 'checked', operation: 'payoutCheck' },
      { status: ['approved', 'checked'], operation: ['payoutCheck', 'payoutPay'] },
      { kind: 'notice', operation: ['sale', 'payoutForm', 'makeRebill'], status: 'approved' },
      { kind: 'notice' },
      { operation: 'createCardRef' },
    ]
    for (const filter of filters) {
      const starting = start({ imports: [withJournal('eu')], providers: [listener(filter)] })
      await expect(starting).resolves.toHaveProperty('url')
    }
  })

  test('with two routes of one path and version', async () => {
    const browserReturn = { path: 'pay/back', show: () => ({ status: 200, headers: {}, body: '' }) }
    const eu = PaymentsModule.forRoot({
      name: 'eu',
      client: NO_GATEWAY,
      browserReturn: { ...browserReturn, version: '1' },
    })
    const us = (version: string | string[]) =>
      PaymentsModule.forRootAsync({
        name: 'us',
        useFactory: () => ({ client: NO_GATEWAY, callbacks: { onOutcome: () => {} } }),
        callbacks: { path: '/pay/back/', version },
      })
    const versions = { prepare: (app: INestApplication) => void app.enableVersioning() }
    await startApp(adapter, { imports: [eu, us('2')] }, versions)
    const both = { client: NO_GATEWAY, browserReturn, callbacks: { path: 'pay/back/', onOutcome: () => {} } }
    if (platform === 'Express') {
      await expect(startApp(adapter, { imports: [eu, us(['1', '2'])] }, versions)).rejects.toThrow(
        'two routes of payments have the path pay/back in version 1',
      )
      await expect(start({ imports: [PaymentsModule.forRoot(both)] })).rejects.toThrow(
        'two routes of payments have the path pay/back',
      )
    } else {
      await expect(start({ imports: [PaymentsModule.forRoot(both)] })).rejects.toThrow(/already declared/)
    }
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
      'Shipping.ship is never called for status aproved',
    )
  })

  test('with a class that two modules provide', async () => {
    const Shipping = listener({})
    const other = moduleOf({ providers: [Shipping] })
    await expect(start({ imports: [withJournal('eu'), other], providers: [Shipping] })).rejects.toThrow(
      'Shipping is provided twice, so its methods would be called twice',
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
