import { type DynamicModule, Module } from '@nestjs/common'
import type { ShopSetup } from '@tallystick/shop-kit'

/** The token of the shop's setup. */
export const SHOP_SETUP = Symbol('shop setup')

/** Without the client, which the module creates. */
export type Setup = Omit<ShopSetup, 'client' | 'port'>

/** Provides the setup to every module. An app of yours has its configuration instead: the keys of the gateway, the database. */
@Module({})
class SetupModule {}

export function setupModule(setup: Setup): DynamicModule {
  return {
    module: SetupModule,
    global: true,
    providers: [{ provide: SHOP_SETUP, useValue: setup }],
    exports: [SHOP_SETUP],
  }
}
