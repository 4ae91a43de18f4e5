import type { Provider } from '@nestjs/common'
import type { PaymentsModuleAsyncOptions, PaymentsRoutes, PaymentsSettingsFactory } from './payments.options.ts'
import { SETTINGS } from './payments.tokens.ts'

/** The settings as the app's own provider gives them, checked against the routes. */
export function settingsProviders<Settings extends ComparedSettings>(
  options: PaymentsModuleAsyncOptions<Settings>,
): readonly Provider[] {
  const { useFactory, useClass, useExisting } = options
  if (useFactory !== undefined) {
    return [
      {
        provide: SETTINGS,
        inject: options.inject ?? [],
        useFactory: async (...injected: readonly unknown[]) => checkSettings(options, await useFactory(...injected)),
      },
    ]
  }
  const factory = useExisting ?? useClass
  return [
    ...(useClass === undefined ? [] : [useClass]),
    {
      provide: SETTINGS,
      inject: [factory],
      useFactory: async (given: PaymentsSettingsFactory<Settings>) =>
        checkSettings(options, await given.createPaymentsSettings()),
    },
  ]
}

/** Settings of any kind, as far as they are compared with the routes. */
interface ComparedSettings {
  readonly journal?: unknown
  readonly callbacks?: { readonly onOutcome?: unknown; readonly onUnconfirmed?: unknown } | undefined
  readonly browserReturn?: object | undefined
  readonly threeDsReturn?: object | undefined
}

/** @throws TypeError for settings that have no effect */
export function checkSettings<Settings extends ComparedSettings>(routes: PaymentsRoutes, settings: Settings): Settings {
  for (const route of ['callbacks', 'browserReturn', 'threeDsReturn'] as const) {
    if (settings[route] !== undefined && typeof routes[route]?.path !== 'string') {
      throw new TypeError(`${route} has settings and no path, so that nothing comes there: name the path of its route`)
    }
  }
  const { journal, callbacks } = settings
  if (journal !== undefined && (callbacks?.onOutcome ?? callbacks?.onUnconfirmed) !== undefined) {
    throw new TypeError('onOutcome and onUnconfirmed are never called where there is a journal: use its handler')
  }
  return settings
}
