import type { FactoryProvider, InjectionToken, Provider } from '@nestjs/common'
import { createPaymentClient, type PaymentClient } from '@tallystick/client'
import { missingMethods } from '@tallystick/core/internal'
import { type ComparedSettings, checkSettings } from './check-options.ts'
import { PaymentOutcomes } from './outcomes/payment-outcomes.ts'
import { createPaymentsHealth, type InstanceParts, PaymentsInstance } from './payments.instance.ts'
import type {
  Asynchronous,
  PaymentJournal,
  PaymentsModuleAsyncOptions,
  PaymentsRoutes,
  PaymentsSettings,
  PaymentsSettingsFactory,
  ShopSettings,
} from './payments.options.ts'
import { routesOf } from './payments.routes.ts'
import {
  getPaymentClientToken,
  getPaymentJournalToken,
  getPaymentsHealthToken,
  INSTANCE_NAME,
  instanceToken,
  SETTINGS,
  SHOP_SETTINGS,
} from './payments.tokens.ts'
import { UnderWay } from './under-way.ts'

/** What an instance provides apart from its settings and its journal. */
export function instanceProviders(name: string, routes: PaymentsRoutes): readonly Provider[] {
  return [
    { provide: INSTANCE_NAME, useValue: name },
    clientProvider(name),
    { provide: UnderWay, useFactory: () => new UnderWay() },
    lifeProvider(name, routes),
    healthProvider(name),
    ...routesOf(routes).map(({ token, make }) => ofParts(token, name, (parts) => parts.underWay.counted(make(parts)))),
  ]
}

/** Created while the app is created, not before: a test that overrides it needs no key. */
function clientProvider(name: string): Provider {
  return {
    provide: getPaymentClientToken(name),
    inject: [SETTINGS],
    useFactory: ({ client }: PaymentsSettings) => createPaymentClient(client),
  }
}

/** Uses the injected client, so that a test which overrides the client overrides it here too. */
export function journalProvider(name: string): Provider {
  return {
    provide: getPaymentJournalToken(name),
    inject: [SETTINGS, getPaymentClientToken(name), PaymentOutcomes],
    useFactory: async ({ journal }: PaymentsSettings, client: PaymentClient, outcomes: PaymentOutcomes) =>
      journal === undefined
        ? undefined
        : requireJournal(
            `The option journal of the instance ${name} returned`,
            await journal(client, async (event) => {
              const outcome = 'notice' in event ? event.notice : event.outcome
              await outcomes.deliver({ instance: name, outcome, transaction: event.transaction })
            }),
          ),
  }
}

/** @throws TypeError for anything else, from a program without types or a test that replaces the journal */
function requireJournal(whatIs: string, given: PaymentJournal | null | undefined): PaymentJournal {
  const missing = [
    ...missingMethods(given, ['start', 'close', 'browserReturn']),
    ...missingMethods(given?.inbox, ['receive']).map((method) => `inbox.${method}`),
  ]
  if (given && missing.length === 0) return given
  throw new TypeError(`${whatIs} no journal: it has no ${missing.join(', no ')}`)
}

function lifeProvider(name: string, routes: PaymentsRoutes): Provider {
  return ofParts(instanceToken(name), name, (parts) => new PaymentsInstance(parts, routes))
}

function healthProvider(instance: string): Provider {
  return {
    provide: getPaymentsHealthToken(instance),
    inject: [getPaymentClientToken(instance), UnderWay, instanceToken(instance)],
    useFactory: (client: PaymentClient, underWay: UnderWay, life: PaymentsInstance) =>
      createPaymentsHealth({ instance, client, underWay, phase: () => life.phase }),
  }
}

/** Provides something that needs every part of an instance. */
function ofParts<Made>(
  provide: InjectionToken,
  instance: string,
  make: (parts: InstanceParts) => Made,
): FactoryProvider<Made> {
  const journal = { token: getPaymentJournalToken(instance), optional: true }
  const standIn = `The replacement for the journal of the instance ${instance} is`
  return {
    provide,
    inject: [
      SETTINGS,
      getPaymentClientToken(instance),
      journal,
      PaymentOutcomes,
      UnderWay,
      { token: SHOP_SETTINGS, optional: true },
    ],
    useFactory: (
      settings: PaymentsSettings,
      client: PaymentClient,
      given: PaymentJournal | undefined,
      outcomes: PaymentOutcomes,
      underWay: UnderWay,
      shop: ShopSettings | undefined,
    ) => {
      const journal = given === undefined ? undefined : requireJournal(standIn, given)
      return make({ instance, settings, client, journal, outcomes, underWay, shop })
    },
  }
}

/** The settings that the app's own provider returns, checked against the routes. */
export function settingsProviders<Settings extends ComparedSettings>(
  options: PaymentsModuleAsyncOptions<Settings>,
): readonly Provider[] {
  return factoryProviders(SETTINGS, options, (settings) => checkSettings(options, settings))
}

/** What the app's own provider returns, checked, under a token. */
export function factoryProviders<Settings>(
  provide: symbol,
  options: Asynchronous<Settings>,
  check: (settings: Settings) => Settings,
): readonly Provider[] {
  const { useFactory, useClass, useExisting } = options
  if (useFactory !== undefined) {
    return [
      {
        provide,
        inject: options.inject ?? [],
        useFactory: async (...injected: readonly unknown[]) => check(await useFactory(...injected)),
      },
    ]
  }
  const factory = useExisting ?? useClass
  return [
    ...(useClass === undefined ? [] : [useClass]),
    {
      provide,
      inject: [factory],
      useFactory: async (given: PaymentsSettingsFactory<Settings>) => check(await settingsOf(given)),
    },
  ]
}

/** @throws TypeError if the class or provider is not one of settings */
async function settingsOf<Settings>(given: PaymentsSettingsFactory<Settings>): Promise<Settings> {
  if (missingMethods(given, ['createPaymentsSettings']).length === 0) return await given.createPaymentsSettings()
  throw new TypeError('PaymentsModule.forRootAsync: useClass and useExisting must have createPaymentsSettings()')
}
