import { cards } from '@tallystick/testing'
import type { World } from '../world/world.ts'
import { officeOf } from './back-office.ts'
import { buy } from './customer-pays.ts'
import type { Story } from './story.ts'

/** A payment that is reserved first, captured in part, and refunded in part. */
export async function playPreauth(world: World, story: Story): Promise<void> {
  const browser = await buy(world.shop.url, 'Set of yew, cut to order', cards.approved, story)
  const reserved = await browser.settle()
  story.check('the order page says: Reserved, €120.00', /Reserved.*€120\.00/.test(reserved.text))
  const office = await officeOf(world, browser.page)
  await office.press(/^Capture/, { amount: '80.00' })
  const captured = await office.settle()
  story.check('the back office captures €80.00 of it', /Captured €80\.00/.test(captured.text))
  story.check('€40.00 is still on hold', /On hold €40\.00/.test(captured.text))
  await office.press(/^Return/, { amount: '30.00' })
  const returned = await office.settle()
  story.check('it refunds €30.00 and keeps €50.00', /Refunded €30\.00 Kept €50\.00/.test(returned.text))
  const { text } = await browser.open(browser.page.url)
  story.check('the order page says: Partly refunded', text.includes('Partly refunded'))
}
