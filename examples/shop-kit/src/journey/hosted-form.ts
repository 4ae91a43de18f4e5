import { cards } from '@tallystick/testing'
import type { World } from '../world/world.ts'
import { buy } from './customer-pays.ts'
import type { Story } from './story.ts'

/** A sale on the page of the gateway, where the bank asks for more. No card number touches the shop. */
export async function playHostedForm({ shop }: World, story: Story): Promise<void> {
  const browser = await buy(shop.url, 'Tally stick of willow', cards.threeDs, story)
  story.tell('the browser is back in the shop; the page of the order updates itself')
  const { text } = await browser.settle()
  story.check('the page of the order says: Paid, €7.00', text.includes('Paid') && text.includes('€7.00'))
}
