// What `npm start -- --nest` runs: a gateway, this shop, and the journey through both.
import './decorators.ts'
import { run } from '@tallystick/shop-kit'

// Imported only now, because Node can read decorators only after the import above.
const { startShop } = await import('./start-shop.ts')

await run('Nest, with Fastify', startShop)
