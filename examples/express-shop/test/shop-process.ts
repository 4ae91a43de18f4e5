// This shop in a process of its own, which `crash.test.ts` kills.
import { serveShop } from '@tallystick/shop-kit/serve-shop'
import { startShop } from '../src/start-shop.ts'

serveShop(startShop)
