import { Browser, type Page } from '../browser/browser.ts'

/** A browser in the back office, at the order that the customer's page shows. */
export async function officeOf(shop: string, customers: Page): Promise<Browser> {
  const id = new URL(customers.url).pathname.split('/').at(-1) ?? ''
  const browser = new Browser()
  await browser.open(`${shop}/back-office/orders/${id}`)
  return browser
}
