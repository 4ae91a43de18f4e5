import type { Page } from 'playwright-core'
import type { FormName } from './stage.ts'

/** As people type it. */
export const CARD = { number: '4444333322221111', expiry: '1239', cvv: '123', name: 'John Smith' }

/** Fills a form in, as a person with a keyboard does. */
export async function fillIn(page: Page, form: FormName, card: Partial<typeof CARD> = {}): Promise<void> {
  const typed = { ...CARD, ...card }
  if (form === 'payout') {
    await page.getByLabel('Card number').first().pressSequentially(typed.number)
    return
  }
  await page.getByLabel('Card number').pressSequentially(typed.number)
  await page.getByLabel('Expiry date').pressSequentially(typed.expiry)
  await page.getByLabel('Security code').pressSequentially(typed.cvv)
  await page.getByLabel('Name on the card').pressSequentially(typed.name)
}

export async function submit(page: Page): Promise<void> {
  await page.locator('form button').click()
}
