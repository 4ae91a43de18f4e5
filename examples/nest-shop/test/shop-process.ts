// This shop in a process of its own, which `crash.test.ts` kills.
import '../src/decorators.ts'
import { serveShop } from '@tallystick/shop-kit/serve-shop'

// Only now can Node read it.
const { startShop } = await import('../src/start-shop.ts')

serveShop(startShop)
