import { CALLBACK_PATH } from '../paths.ts'
import { newOrderId } from '../payments/order-id.ts'
import type { World } from '../world/world.ts'
import { outcomeOf, shown } from './outcome-of.ts'
import type { Story } from './story.ts'

/** A payout in two steps: the gateway checks the receiver, someone agrees, and the gateway pays. */
export async function playPayout(world: World, { tell, check }: Story): Promise<void> {
  const { shop, database } = world
  const { journal } = shop
  const id = newOrderId()
  await journal.pay(`check of payout ${id}`, 'payoutCheck', {
    amount: '25.00',
    currency: 'EUR',
    accountNumber: 'DE00 EXAMPLE',
    bankName: 'Bank of Willows',
    notifyUrl: shop.url + CALLBACK_PATH,
  })
  const checked = await outcomeOf({ database }, `check of payout ${id}`)
  const [attempt] = await journal.attempts(`check of payout ${id}`)
  tell(`the gateway checks the receiver, and no money has moved yet: ${checked.status}`)
  const { clientOrderId = '', orderId = '' } = attempt ?? {}
  await journal.pay(`payout ${id}`, 'payoutPay', { clientOrderId, orderId })
  const paid = await outcomeOf({ database }, `payout ${id}`)
  check(`the second step pays: ${shown(paid)}`, shown(paid) === '€25.00 approved')
  const again = await journal.pay(`payout ${id}`, 'payoutPay', { clientOrderId, orderId })
  check(`a second request sends nothing: ${again.outcome}`, again.outcome === 'final')
}
