// This shop alone, at the gateway that the environment names: see tallystick-shop.json beside this folder.
import { serve } from '@tallystick/shop-kit'
import { startShop } from './start-shop.ts'

await serve(startShop)
