import type { FactoryProvider } from '@nestjs/common'
import { createPages, type Pages } from '@tallystick/shop-kit'
import { type Setup, SHOP_SETUP } from '../setup.module.ts'

/** The token of the shop's pages. */
export const PAGES = Symbol('pages')

export const pagesProvider: FactoryProvider<Pages> = {
  provide: PAGES,
  inject: [SHOP_SETUP],
  useFactory: ({ gateway }: Setup) => createPages({ gateway, now: () => Date.now() }),
}
