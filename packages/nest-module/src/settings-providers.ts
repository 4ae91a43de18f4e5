import type { Provider } from '@nestjs/common'
import { missingMethods } from '@tallystick/core'
import { type ComparedSettings, checkSettings } from './check-options.ts'
import type { PaymentsModuleAsyncOptions, PaymentsSettingsFactory } from './payments.options.ts'
import { SETTINGS } from './payments.tokens.ts'

/** The settings that the app's own provider returns, checked against the routes. */
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
      useFactory: async (given: PaymentsSettingsFactory<Settings>) => checkSettings(options, await settingsOf(given)),
    },
  ]
}

/** @throws TypeError if the class or provider is not one of settings */
async function settingsOf<Settings>(given: PaymentsSettingsFactory<Settings>): Promise<Settings> {
  if (missingMethods(given, ['createPaymentsSettings']).length === 0) return await given.createPaymentsSettings()
  throw new TypeError('PaymentsModule.forRootAsync: useClass and useExisting must have createPaymentsSettings()')
}
