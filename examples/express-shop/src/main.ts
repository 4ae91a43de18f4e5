// What `npm start` runs: a gateway, this shop, and the journey through both.
import { run } from '@tallystick/shop-kit'
import { startShop } from './start-shop.ts'

await run('Express', startShop)
