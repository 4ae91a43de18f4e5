import { STAFF } from '../access.ts'
import { Browser, type Page } from '../browser/browser.ts'
import type { World } from '../world/world.ts'

type Office = Pick<World, 'staffPassword'> & { readonly shop: Pick<World['shop'], 'url'> }

/** A browser of the staff in the back office, at the order that the customer's page shows. */
export async function officeOf({ shop, staffPassword }: Office, customers: Pick<Page, 'url'>): Promise<Browser> {
  const { pathname } = new URL(customers.url, shop.url)
  const browser = new Browser({ at: shop.url, user: STAFF, password: staffPassword })
  await browser.open(`${shop.url}/back-office${pathname}`)
  return browser
}
