import { checkPages } from '@tallystick/shop-kit/browser-checks'
import { startShop } from '../src/start-shop.ts'

checkPages(startShop)
