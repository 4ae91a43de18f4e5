// This shop in a process of its own, which `crash.test.ts` kills.
import '../src/decorators.ts'
import { serveShop } from '@tallystick/shop-kit/serve-shop'

// Imported only now, because Node can read decorators only after the import above.
const { startShop } = await import('../src/start-shop.ts')

serveShop(startShop)
