import { cards } from '@tallystick/testing'
import { newOrderId } from '../payments/order-id.ts'
import type { World } from '../world/world.ts'
import { outcomeOf, shown } from './outcome-of.ts'
import { payByPhone } from './sale.ts'
import type { Story } from './story.ts'

/** The gateway carries out a sale, and its reply is lost. The sale must not be sent again, and need not be. */
export async function playLostReply(world: World, { tell, check }: Story): Promise<void> {
  const { gateway } = world
  const key = `phone order ${newOrderId()}`
  gateway.faults.next('sale', 'reply-lost-after-commit')
  const first = await payByPhone(world, key, cards.approved)
  check(`the connection is cut instead of a reply: the outcome is ${first.answer}`, first.answer === 'unknown')
  const second = await payByPhone(world, key, cards.approved)
  tell(`a second request under the same key sends nothing: ${second.answer}`)
  const outcome = await outcomeOf(world, key)
  check(`the journal checks the status and reports: ${shown(outcome)}`, shown(outcome) === '$10.42 approved')
  const orders = await gateway.sandbox?.orders({ limit: 100, clientOrderId: first.clientOrderId })
  const isOne = orders?.length === 1 && first.clientOrderId === second.clientOrderId
  check('the gateway has one order: the customer was charged once', isOne)
}
