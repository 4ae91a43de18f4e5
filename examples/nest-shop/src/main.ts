// What `npm start -- --nest` runs: a gateway, this shop, and the journey through both.
import './decorators.ts'
import { run } from '@tallystick/shop-kit'

// Only now can Node read them.
const { startShop } = await import('./start-shop.ts')

await run('Nest, with Fastify', startShop)
