import { cards, saleInput, type TestCard } from '@tallystick/testing'
import { CALLBACK_PATH } from '../paths.ts'
import { newOrderId } from '../payments/order-id.ts'
import type { World } from '../world/world.ts'
import { outcomeOf, shown } from './outcome-of.ts'
import type { Story } from './story.ts'

/** A sale by the server alone: the shop knows the card, as in an order by phone. */
export async function playSale(world: World, { tell, check }: Story): Promise<void> {
  const paid = await sell(world, cards.approved)
  tell(`the shop sends a sale, once: ${paid.answer}`)
  check(`the journal reports: ${shown(paid.outcome)}`, shown(paid.outcome) === '$10.42 approved')
  const refused = await sell(world, cards.insufficientFunds)
  check(
    `a sale with a card without funds: ${shown(refused.outcome)}`,
    refused.answer === 'accepted' && refused.outcome.status === 'declined',
  )
}

async function sell(world: World, card: TestCard) {
  const key = `phone order ${newOrderId()}`
  const { answer } = await payByPhone(world, key, card)
  return { answer, outcome: await outcomeOf(world, key) }
}

/** Asks for a sale under a key of the shop. A second call with the same key sends nothing. */
export async function payByPhone({ shop }: World, key: string, card: TestCard) {
  const { clientOrderId: _, ...input } = saleInput({ ...card, notifyUrl: shop.url + CALLBACK_PATH })
  const { outcome, intent } = await shop.journal.pay(key, 'sale', { ...input, amount: '10.42', currency: 'USD' })
  return { answer: outcome, clientOrderId: intent.clientOrderId }
}
