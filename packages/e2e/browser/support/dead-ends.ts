import { cardWithFault } from '@tallystick/testing'
import type { Page } from 'playwright-core'
import { goOn, leave, typeCode } from './go-on.ts'
import { redirectedSale } from './redirected-sale.ts'
import type { Stage } from './stage.ts'
import type { ThreeDsShop } from './three-ds-shop.ts'
import { SCRIPT, type Script } from './windows.ts'

interface Surroundings {
  readonly stage: Stage
  readonly threeDsShop: ThreeDsShop
  /** Default: with script. */
  readonly script?: Script
}

/** How a browser comes to the pages of the simulated issuer from which nothing leads on: by a name, what leads there. */
export const DEAD_ENDS = {
  'nobody-comes-back': async (page: Page, { stage, ...rest }: Surroundings) => {
    const { address } = await redirectedSale(stage, cardWithFault('three-ds-abandoned'))
    await answer(page, address, 'Nobody comes back from here', rest)
  },
  'no-way-back': async (page: Page, { threeDsShop, ...rest }: Surroundings) => {
    const address = `${threeDsShop.origin}/pay?id=${await threeDsShop.sold('threeDs', { comesBack: false })}`
    await answer(page, address, 'The shop gave no address to come back to', rest)
  },
  /** Back to the method frame, which the order does not wait for any more. */
  'step-is-over': async (page: Page, { threeDsShop, script = SCRIPT['with script'] }: Surroundings) => {
    await page.goto(`${threeDsShop.origin}/pay?id=${await threeDsShop.sold('threeDsMethod')}`)
    await goOn(page, 'issuer', script)
    const toFrame = `const [form] = document.forms; form.action = form.action.replace(/challenge\\/(.*)\\/answer/, 'method/$1')`
    await leave(page, () => page.evaluate<void>(`{ ${toFrame}; form.submit() }`))
    await page.getByText('please do not pay again').waitFor()
  },
} as const

async function answer(
  page: Page,
  address: string,
  says: string,
  { script = SCRIPT['with script'] }: Pick<Surroundings, 'script'>,
): Promise<void> {
  await page.goto(address)
  await goOn(page, 'issuer', script)
  await typeCode(page, 'hint')
  await page.getByText(says).waitFor()
}
