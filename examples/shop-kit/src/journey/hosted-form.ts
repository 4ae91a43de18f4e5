import { cards } from '@tallystick/testing'
import type { World } from '../world/world.ts'
import { buy } from './customer-pays.ts'
import type { Story } from './story.ts'

/** A sale on the gateway's page, for which the bank asks for a code. No card number touches the shop. */
export async function playHostedForm({ shop }: World, story: Story): Promise<void> {
  const browser = await buy(shop.url, 'Tally stick of willow', cards.threeDs, story)
  story.tell('the browser is back in the shop, where the order page updates itself')
  const { text } = await browser.settle()
  story.check('the order page says: Paid, €7.00', text.includes('Paid') && text.includes('€7.00'))
}
