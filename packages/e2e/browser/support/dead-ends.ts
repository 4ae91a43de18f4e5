import { cardWithFault } from '@tallystick/testing'
import type { Page } from 'playwright-core'
import { redirectedSale } from './redirected-sale.ts'
import type { Stage } from './stage.ts'
import type { ThreeDsShop } from './three-ds-shop.ts'

/** How a browser comes to the pages of the simulated issuer from which nothing leads on: by a name, what leads there. */
export const DEAD_ENDS = {
  'nobody-comes-back': async (page: Page, stage: Stage) => {
    await page.goto((await redirectedSale(stage, cardWithFault('three-ds-abandoned'))).address)
    await answer(page, 'Nobody comes back from here')
  },
  'no-way-back': async (page: Page, _: Stage, shop: ThreeDsShop) => {
    await page.goto(`${shop.origin}/pay?id=${await shop.sold('threeDs', { comesBack: false })}`)
    await answer(page, 'The shop gave no address to come back to')
  },
} as const

async function answer(page: Page, says: string): Promise<void> {
  await page.getByLabel('Code').fill('hint')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText(says).waitFor()
}
