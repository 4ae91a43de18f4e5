import type { Page } from 'playwright-core'
import type { FormName } from './stage.ts'

/** As people type it. */
export const CARD = { number: '4444333322221111', expiry: '1239', cvv: '123', name: 'John Smith' }

/** Fills a form in, field by field at once; that the page helps with each key is a test of its own. */
export async function fillIn(page: Page, form: FormName, card: Partial<typeof CARD> = {}): Promise<void> {
  const typed = { ...CARD, ...card }
  if (form === 'payout') {
    await page.getByLabel('Card number').first().fill(typed.number)
    return
  }
  await page.getByLabel('Card number').fill(typed.number)
  await page.getByLabel('Expiry date').fill(typed.expiry)
  await page.getByLabel('Security code').fill(typed.cvv)
  await page.getByLabel('Name on the card').fill(typed.name)
}

export async function submit(page: Page): Promise<void> {
  await page.locator('form button').click()
}
