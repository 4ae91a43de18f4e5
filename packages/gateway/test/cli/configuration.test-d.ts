import { expectTypeOf, test } from 'vitest'
import type { Configuration } from '../../src/cli/configuration.ts'
import type { FaultOptions } from '../../src/faults/faults.ts'
import type { EndpointOptions } from '../../src/merchants/endpoint.ts'
import type { EndpointGroupOptions } from '../../src/merchants/merchants.ts'
import type { GatewayOptions } from '../../src/options.ts'

type Merchant = Configuration['merchants'][number]

/** A new option needs a setting, or the command cannot be given it. */
test('the configuration has every option that a file can hold', () => {
  expectTypeOf<keyof Merchant['endpoints'][number]>().toEqualTypeOf<keyof EndpointOptions>()
  expectTypeOf<keyof NonNullable<Merchant['groups']>[number]>().toEqualTypeOf<keyof EndpointGroupOptions>()
  expectTypeOf<keyof NonNullable<Configuration['faults']>>().toEqualTypeOf<keyof FaultOptions>()
  expectTypeOf<Exclude<keyof GatewayOptions, keyof Configuration>>().toEqualTypeOf<
    | 'vaultKeys'
    | 'clock'
    | 'ids'
    | 'recorder'
    | 'sendCallback'
    | 'profile'
    | 'onAnswer'
    | 'onCallback'
    | 'onDecision'
    | 'onRecord'
    | 'onLimit'
    | 'onError'
  >()
})
