// This shop alone, at the gateway that the environment names: see tallystick-shop.json beside this folder.
import './decorators.ts'
import { serve } from '@tallystick/shop-kit'

// Imported only now, because Node can read decorators only after the import above.
const { startShop } = await import('./start-shop.ts')

await serve(startShop)
