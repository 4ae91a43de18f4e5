import { checkAccess } from '@tallystick/shop-kit/access-checks'
import { describe } from 'vitest'
import { startShop } from '../src/start-shop.ts'

describe('[F-B15] the back office', () => {
  checkAccess(startShop)
})
