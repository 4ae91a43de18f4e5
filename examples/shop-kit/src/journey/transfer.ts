import { cards } from '@tallystick/testing'
import { CALLBACK_PATH } from '../paths.ts'
import { newOrderId } from '../payments/order-id.ts'
import type { World } from '../world/world.ts'
import { outcomeOf, shown } from './outcome-of.ts'
import type { Story } from './story.ts'

/** Money that goes from one card to another. */
export async function playTransfer(world: World, { check }: Story): Promise<void> {
  const { shop } = world
  const key = `transfer ${newOrderId()}`
  await shop.journal.pay(key, 'transfer', {
    amount: '34.00',
    currency: 'USD',
    ...cards.approved,
    destinationCardNumber: cards.threeDsPaReq.cardNumber,
    notifyUrl: shop.url + CALLBACK_PATH,
  })
  const outcome = await outcomeOf(world, key)
  check(`from card to card: ${shown(outcome)}`, shown(outcome) === '$34.00 approved')
}
