import { createShop, type Shop } from './shop.ts'

let made: Shop | undefined

/** Created on first use: the build runs modules too, and payments that are made there would work on your database. */
export function shop(): Shop {
  made ??= createShop()
  return made
}
