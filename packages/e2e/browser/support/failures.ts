import type { Page } from 'playwright-core'
import type { Stage } from './stage.ts'

/** How a browser comes to the pages that say no more than that it did not work: by a status, what leads there. */
export const FAILURES = {
  404: async (page: Page, { gateway }: Stage) => {
    await page.goto(`${gateway.merchant.baseUrl}/form/AAAAAAAAAAAAAAAAAAAAAA`)
  },
  410: async (page: Page, { gateway, openForm }: Stage) => {
    const { address } = await openForm('sale')
    // Half an hour for the form, and as long again for the way back.
    await gateway.clock.advance('61m')
    await page.goto(address)
  },
  400: async (page: Page, { openForm }: Stage) => {
    await page.goto((await openForm('sale')).address)
    await page.evaluate('document.forms[0].enctype = "multipart/form-data"')
    await page.evaluate('document.forms[0].submit()')
    await page.getByRole('heading', { name: 'This could not be read' }).waitFor()
  },
} as const
