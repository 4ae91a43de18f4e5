import { cards } from '@tallystick/testing'
import type { World } from '../world/world.ts'
import { officeOf } from './back-office.ts'
import { buy } from './customer-pays.ts'
import type { Story } from './story.ts'

/** The gateway stores the card of a payment, and the shop charges it again without its holder. */
export async function playStoredCard(world: World, story: Story): Promise<void> {
  const { shop, database } = world
  const browser = await buy(shop.url, 'A stick of ash every month', cards.approved, story)
  await browser.settle()
  const office = await officeOf(world, browser.page)
  const stored = await office.press(/^Store card/)
  story.check('the back office stores the card at the gateway, and gets a reference to it', /Rebill/.test(stored.text))
  await office.press(/^Rebill/, { period: '2' })
  const { text, url } = await office.settle()
  story.check('the second month is charged: Paid, $15.00', /Paid.*\$15\.00/.test(text))
  await office.open(`${shop.url}/back-office/orders/${new URL(browser.page.url).pathname.split('/').at(-1)}`)
  const again = await office.press(/^Rebill/, { period: '2' })
  const told = database.rows.ledger(100).filter(({ operation, businessKey }) => {
    return operation === 'makeRebill' && url.endsWith(businessKey.split(' ').slice(1).join('-'))
  })
  story.check('a second press for the same month sends nothing', again.url === url && told.length === 1)
}
