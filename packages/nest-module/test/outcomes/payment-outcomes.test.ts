import {
  type CanActivate,
  Controller,
  type INestApplication,
  Inject,
  Injectable,
  type ModuleMetadata,
  Scope,
  UnauthorizedException,
} from '@nestjs/common'
import { REQUEST } from '@nestjs/core'
import { describe, expect, test } from 'vitest'
import {
  type ConfirmedOutcome,
  getPaymentJournalToken,
  InjectPaymentJournal,
  type JournaledOutcome,
  OnPaymentOutcome,
  type OutcomeEvent,
  PaymentsModule,
} from '../../src/index.ts'
import { callback, clientOf, PLATFORMS, postCallback, startApp } from '../support.ts'
import { type FakeJournal, withJournal } from './fake-journal.ts'

const journalOf = (app: INestApplication, name: string) => app.get<FakeJournal>(getPaymentJournalToken(name))

describe.each(PLATFORMS)('methods with @OnPaymentOutcome on %s', (_platform, adapter) => {
  const start = (metadata: ModuleMetadata, options: Parameters<typeof startApp>[2] = {}) =>
    startApp(adapter, metadata, options)

  test('are called with the outcome of a callback, once a status check has confirmed it', async () => {
    const calls: ConfirmedOutcome[] = []
    @Injectable()
    class Shipping {
      @OnPaymentOutcome('approved')
      ship(event: ConfirmedOutcome) {
        calls.push(event)
      }

      @OnPaymentOutcome('declined')
      cancel() {
        expect.fail('nothing was declined')
      }
    }
    const payments = PaymentsModule.forRootAsync({
      callbacks: { path: 'cb' },
      useFactory: async () => ({ client: await clientOf() }),
    })
    const { url } = await start({ imports: [payments], providers: [Shipping] })
    // The callback is not believed: the status decides.
    expect(await postCallback(`${url}/cb`, callback('declined'))).toBe(200)
    expect(calls).toMatchObject([
      { instance: 'default', outcome: { status: 'approved', clientOrderId: 'inv-77-a', reply: { amount: '10.42' } } },
    ])
  })

  test('filter by instance, status, operation and kind', async () => {
    const calls: string[] = []
    const note = (who: string, { instance, outcome }: JournaledOutcome) =>
      void calls.push(`${who}: ${instance} ${outcome.operation} ${outcome.status}`)
    @Injectable()
    class Listener {
      @OnPaymentOutcome()
      all(event: JournaledOutcome) {
        note('all', event)
      }

      @OnPaymentOutcome({ instance: 'eu' })
      ofEurope(event: JournaledOutcome) {
        note('eu', event)
      }

      @OnPaymentOutcome({ operation: ['return', 'void'], status: 'approved' })
      moneyBack(event: JournaledOutcome) {
        note('back', event)
      }

      @OnPaymentOutcome({ operation: 'sale', kind: 'notice' })
      takenBack(event: JournaledOutcome) {
        note('notice', event)
      }

      @OnPaymentOutcome('declined')
      @OnPaymentOutcome({ instance: 'us' })
      either(event: JournaledOutcome) {
        note('either', event)
      }
    }
    const imports = [withJournal('eu'), withJournal('us')]
    const { app } = await start({ imports, providers: [Listener] })
    await journalOf(app, 'eu').decide({})
    await journalOf(app, 'us').decide({ operation: 'return', transactionType: 'reversal' })
    await journalOf(app, 'us').decide({ status: 'declined' })
    await journalOf(app, 'us').decide({ kind: 'notice', transactionType: 'reversal' })
    expect(calls).toEqual([
      'all: eu sale approved',
      'eu: eu sale approved',
      'all: us return approved',
      'back: us return approved',
      'either: us return approved',
      'all: us sale declined',
      'either: us sale declined',
      'notice: us sale approved',
    ])
  })

  test('get the transaction of a journal; callbacks are stored in its inbox', async () => {
    const calls: JournaledOutcome<string>[] = []
    @Injectable()
    class Books {
      readonly journal: FakeJournal

      constructor(@InjectPaymentJournal('eu') journal: FakeJournal) {
        this.journal = journal
      }

      @OnPaymentOutcome()
      write(event: JournaledOutcome<string>) {
        calls.push(event)
      }
    }
    const { app, url } = await start({
      imports: [withJournal('eu', { callbacks: { path: 'cb' } })],
      providers: [Books],
    })
    const { journal } = app.get(Books)
    expect(journal.events).toEqual(['started'])
    expect(await postCallback(`${url}/cb`)).toBe(200)
    expect(journal.received).toMatchObject([{ clientOrderId: 'inv-77-a', status: 'approved' }])
    await journal.decide({ amount: '1042' }, 'tx 1')
    expect(calls).toMatchObject([{ instance: 'eu', outcome: { amount: '1042' }, transaction: 'tx 1' }])
  })

  test('[F-A12] a notice that none is called with is not acknowledged, and comes again: with a journal', async () => {
    const calls: string[] = []
    @Injectable()
    class Shipping {
      @OnPaymentOutcome('approved')
      ship({ outcome }: JournaledOutcome) {
        calls.push(outcome.kind)
      }

      @OnPaymentOutcome({ kind: 'notice', status: 'approved', instance: 'eu' })
      takeBack({ outcome }: JournaledOutcome) {
        calls.push(outcome.kind)
      }
    }
    const { app } = await start({ imports: [withJournal('eu'), withJournal('us')], providers: [Shipping] })
    await journalOf(app, 'eu').decide({ kind: 'notice', transactionType: 'chargeback' })
    expect(calls).toEqual(['notice'])
    const unheard =
      /inv-77-a \(123456789012345\) was changed after its outcome, and nobody listens: use @OnPaymentOutcome/
    await expect(journalOf(app, 'eu').decide({ kind: 'notice', status: 'declined' })).rejects.toThrow(unheard)
    await expect(journalOf(app, 'us').decide({ kind: 'notice', transactionType: 'chargeback' })).rejects.toThrow(
      unheard,
    )
    expect(calls).toEqual(['notice'])
  })

  test('[F-A12] nor is an outcome to whose instance none listens; one that the filters leave out is', async () => {
    @Injectable()
    class Shipping {
      @OnPaymentOutcome({ status: 'approved', instance: 'eu' })
      ship() {}
    }
    const { app } = await start({ imports: [withJournal('eu'), withJournal('us')], providers: [Shipping] })
    await expect(journalOf(app, 'eu').decide({ status: 'declined' })).resolves.toBeUndefined()
    await expect(journalOf(app, 'us').decide({})).rejects.toThrow('nobody listens to this instance')
  })

  test.each([
    ['nothing takes', {}, 503],
    ['onNotice takes', { onNotice: () => {} }, 200],
    ['is to be ignored', { onNotice: 'ignore' as const }, 200],
  ])(
    '[F-A12] without a journal a chargeback that %s is no payment: the gateway is answered %s',
    async (_what, callbacks, answered) => {
      const calls: string[] = []
      @Injectable()
      class Shipping {
        @OnPaymentOutcome()
        ship() {
          calls.push('paid')
        }
      }
      const client = await clientOf({ 'transaction-type': 'chargeback', amount: '0.00' })
      const payments = PaymentsModule.forRoot({ client, callbacks: { path: 'cb', ...callbacks } })
      const { url } = await start({ imports: [payments], providers: [Shipping] })
      expect(await postCallback(`${url}/cb`)).toBe(answered)
      expect(calls).toEqual([])
    },
  )

  test('may be on any provider: request-scoped, transient, from a factory, a value, a controller, inherited', async () => {
    const calls: string[] = []
    const contexts: unknown[] = []
    class Listener {
      count = 0

      @OnPaymentOutcome()
      async hear() {
        calls.push(`${this.constructor.name} ${++this.count}`)
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class Context {
      constructor(@Inject(REQUEST) request: OutcomeEvent) {
        contexts.push(request.outcome.clientOrderId)
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class OfRequest extends Listener {
      constructor(@Inject(Context) _context: Context) {
        super()
      }
    }
    @Injectable()
    class OfRequestByDependency extends Listener {
      constructor(@Inject(Context) _context: Context) {
        super()
      }
    }
    @Injectable({ scope: Scope.TRANSIENT })
    class Transient extends Listener {}
    @Injectable()
    class Single extends Listener {}
    class Made extends Listener {}
    class Value extends Listener {}
    class Overriding extends Listener {
      override async hear() {
        calls.push('Overriding')
      }
    }
    @Controller('elsewhere')
    class Page extends Listener {}
    @Controller({ path: 'for-each', scope: Scope.REQUEST })
    class PageOfRequest extends Listener {}
    const ALIAS = Symbol('another name of the same')
    const { app } = await start({
      imports: [withJournal('eu')],
      controllers: [Page, PageOfRequest],
      providers: [
        Context,
        OfRequest,
        OfRequestByDependency,
        Transient,
        Single,
        Overriding,
        { provide: 'made', useFactory: async () => new Made() },
        { provide: 'value', useValue: new Value() },
        { provide: ALIAS, useExisting: Single },
      ],
    })
    await journalOf(app, 'eu').decide({ clientOrderId: 'one' })
    await journalOf(app, 'eu').decide({ clientOrderId: 'two' })
    const both = (name: string) => calls.filter((line) => line.startsWith(`${name} `))
    expect(both('OfRequest')).toEqual(['OfRequest 1', 'OfRequest 1'])
    expect(both('OfRequestByDependency')).toEqual(['OfRequestByDependency 1', 'OfRequestByDependency 1'])
    expect(both('Transient')).toEqual(['Transient 1', 'Transient 1'])
    expect(both('PageOfRequest')).toEqual(['PageOfRequest 1', 'PageOfRequest 1'])
    for (const name of ['Single', 'Made', 'Value', 'Page']) expect(both(name)).toEqual([`${name} 1`, `${name} 2`])
    expect(calls.filter((line) => line === 'Overriding')).toHaveLength(2)
    // One context for all methods that are called with an outcome.
    expect(contexts).toEqual(['one', 'two'])
  })

  test('may be on what a factory creates for each outcome: the class that it is provided as counts', async () => {
    const calls: string[] = []
    class Listener {
      count = 0

      @OnPaymentOutcome('approved')
      hear() {
        calls.push(`${this.constructor.name} ${++this.count}`)
      }
    }
    class OfRequest extends Listener {}
    class Transient extends Listener {}
    class OfOutcome extends Listener {
      constructor({ outcome }: OutcomeEvent) {
        super()
        calls.push(`for ${outcome.clientOrderId}`)
      }
    }
    const { app } = await start({
      imports: [withJournal('eu')],
      providers: [
        { provide: OfRequest, scope: Scope.REQUEST, useFactory: async () => new OfRequest() },
        { provide: Transient, scope: Scope.TRANSIENT, useFactory: () => new Transient() },
        { provide: OfOutcome, inject: [REQUEST], useFactory: (event: OutcomeEvent) => new OfOutcome(event) },
      ],
    })
    await journalOf(app, 'eu').decide({ clientOrderId: 'one' })
    await journalOf(app, 'eu').decide({ clientOrderId: 'two' })
    const once = ['OfRequest 1', 'Transient 1', 'for one', 'OfOutcome 1']
    expect(calls).toEqual([...once, ...once.map((line) => line.replace('one', 'two'))])
  })

  test('are called without the guards of requests', async () => {
    const calls: string[] = []
    class Nobody implements CanActivate {
      canActivate(): never {
        throw new UnauthorizedException()
      }
    }
    @Injectable()
    class Listener {
      @OnPaymentOutcome('approved')
      hear() {
        calls.push('called')
      }
    }
    const { app } = await start(
      { imports: [withJournal('eu')], providers: [Listener] },
      { prepare: (nest) => void nest.useGlobalGuards(new Nobody()) },
    )
    await journalOf(app, 'eu').decide({})
    expect(calls).toEqual(['called'])
  })

  test('are called one after the other, until one throws: then the outcome has to come again', async () => {
    const calls: string[] = []
    @Injectable()
    class Listener {
      @OnPaymentOutcome()
      async first() {
        calls.push('first begins')
        await new Promise((resolve) => setImmediate(resolve))
        calls.push('first ends')
      }

      @OnPaymentOutcome()
      async second() {
        throw new TypeError('no room')
      }

      @OnPaymentOutcome()
      third() {
        calls.push('third')
      }
    }
    const { app } = await start({ imports: [withJournal('eu')], providers: [Listener] })
    await expect(journalOf(app, 'eu').decide({})).rejects.toThrow('no room')
    expect(calls).toEqual(['first begins', 'first ends'])
  })

  test('are called in addition to onOutcome', async () => {
    const calls: string[] = []
    @Injectable()
    class Listener {
      @OnPaymentOutcome()
      hear() {
        calls.push('method')
      }
    }
    const callbacks = { path: 'cb', onOutcome: () => void calls.push('onOutcome') }
    const imports = [PaymentsModule.forRoot({ client: await clientOf(), callbacks })]
    const { url } = await start({ imports, providers: [Listener] })
    expect(await postCallback(`${url}/cb`)).toBe(200)
    expect(calls).toEqual(['method', 'onOutcome'])
  })

  test('keep their filters under a decorator that wraps the method', async () => {
    const calls: string[] = []
    const Logged: MethodDecorator = (_target, _name, descriptor: PropertyDescriptor) => {
      const original: () => void = descriptor.value
      descriptor.value = function wrapped(this: object) {
        calls.push('logged')
        Reflect.apply(original, this, [])
      }
    }
    @Injectable()
    class Listener {
      @Logged
      @OnPaymentOutcome()
      hear() {
        calls.push('called')
      }
    }
    const { app } = await start({ imports: [withJournal('eu')], providers: [Listener] })
    await journalOf(app, 'eu').decide({})
    expect(calls).toEqual(['logged', 'called'])
  })
})
