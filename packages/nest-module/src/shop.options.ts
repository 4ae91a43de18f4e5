import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import { DATABASE_KIND, SETTINGS_KINDS } from '@tallystick/payments/internal'
import { ASYNC, REGISTRATION } from './check-options.ts'
import type { ShopModuleAsyncOptions, ShopModuleOptions, ShopPlace, ShopSettings } from './payments.options.ts'
import { ROUTE_KINDS } from './routes/route-options.ts'

const SHOP: Validators<ShopSettings> = {
  ...SETTINGS_KINDS,
  database: validator.required(DATABASE_KIND),
  journal: validator.object,
  onNotice: validator.oneOf('ignore'),
}
const PLACE: Validators<ShopPlace> = { ...REGISTRATION, ...ROUTE_KINDS }

/** @throws TypeError that names the option of `forRoot` */
export function checkShopOptions(options: ShopModuleOptions): void {
  checkOptions('PaymentsModule.forRoot', options, { ...SHOP, ...PLACE })
}

/** @throws TypeError that names the option of `forRootAsync` */
export function checkShopAsyncOptions(options: ShopModuleAsyncOptions): void {
  checkOptions('PaymentsModule.forRootAsync', options, { ...PLACE, ...ASYNC, inject: validator.list })
}

/** @throws TypeError that names the setting which a factory returned */
export function checkShopSettings(settings: ShopSettings): ShopSettings {
  checkOptions('the settings of PaymentsModule.forRootAsync', settings, SHOP)
  return settings
}
