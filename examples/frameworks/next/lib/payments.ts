import { createShop, type Shop } from './shop'

const place = globalThis as { shopOfThisProcess?: Shop }

/**
 * Created on first use: `next build` runs the modules of all routes, and payments that are made there would work on your database.
 * One for the process, because routes and instrumentation each have a copy of this module.
 */
export function shop(): Shop {
  place.shopOfThisProcess ??= createShop()
  return place.shopOfThisProcess
}
