import { createPaymentClient } from '@tallystick/client'
import { chooseStaffPassword } from './access.ts'
import { openShopDatabase } from './rows/shop-database.ts'
import type { StartShop } from './world/world.ts'

/** Starts a shop alone, at the gateway that the environment names, as yours is: `tallystick certify shop` does it. */
export async function serve(startShop: StartShop): Promise<void> {
  const merchant = {
    baseUrl: setting('TALLYSTICK_BASE_URL'),
    login: setting('TALLYSTICK_LOGIN'),
    controlKey: setting('TALLYSTICK_CONTROL_KEY'),
    endpointId: setting('TALLYSTICK_ENDPOINT'),
  }
  const database = openShopDatabase(process.env['SHOP_DATABASE'] ?? 'shop.db')
  const shop = await startShop({
    client: createPaymentClient(merchant),
    merchant,
    database,
    gateway: new URL(merchant.baseUrl).origin,
    port: Number(process.env['PORT'] ?? 3000),
    staffPassword: chooseStaffPassword(process.env),
    log: console.log,
  })
  process.once('SIGTERM', () => void shop.close().then(() => database.close()))
}

function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`Set ${name} in the environment`)
  return value
}
