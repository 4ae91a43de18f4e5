import { type DynamicModule, Module } from '@nestjs/common'
import type { ShopSetup } from '@tallystick/shop-kit'

/** The token of what the shop was given to start with. */
export const SHOP_SETUP = Symbol('shop setup')

/** The client is made by the module. */
export type Setup = Omit<ShopSetup, 'client' | 'port'>

/** For every module. An app of yours has its configuration in its place: the keys of the gateway, the database. */
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
