import { cards } from '@tallystick/testing'
import { newOrderId } from '../payments/order-id.ts'
import type { World } from '../world/world.ts'
import { outcomeOf, shown } from './outcome-of.ts'
import { payByPhone } from './sale.ts'
import type { Story } from './story.ts'

/** The gateway carries a sale out, and its reply is lost. Nobody may send it again, and nobody has to. */
export async function playLostReply(world: World, { tell, check }: Story): Promise<void> {
  const { gateway } = world
  const key = `phone order ${newOrderId()}`
  gateway.chaos.next('sale', 'reply-lost-after-commit')
  const first = await payByPhone(world, key, cards.approved)
  check(`the connection is cut in place of the reply: the outcome is ${first.answer}`, first.answer === 'unknown')
  const second = await payByPhone(world, key, cards.approved)
  tell(`asked for again under the same key, nothing is sent: ${second.answer}`)
  const outcome = await outcomeOf(world, key)
  check(`the journal asks for the status and tells the shop: ${shown(outcome)}`, shown(outcome) === '$10.42 approved')
  const orders = await gateway.sandbox?.orders({ limit: 100, clientOrderId: first.clientOrderId })
  const isOne = orders?.length === 1 && first.clientOrderId === second.clientOrderId
  check('the gateway has one order of it: charged once', isOne)
}
