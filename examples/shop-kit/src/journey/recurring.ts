import { previewCharges } from '@tallystick/client'
import { cards } from '@tallystick/testing'
import { CALLBACK_PATH } from '../paths.ts'
import { newOrderId } from '../payments/order-id.ts'
import type { World } from '../world/world.ts'
import { outcomeOf } from './outcome-of.ts'
import type { Story } from './story.ts'

const PATIENCE_MS = 20_000

/** A recurring payment: the gateway makes each charge itself when it is due. */
export async function playRecurring({ shop, client, database }: World, { tell, check }: Story): Promise<void> {
  const key = `subscription ${newOrderId()}`
  const money = { amount: '15.00', currency: 'USD' }
  const schedule = { period: 'month', interval: 1 } as const
  const { cvv2: _, ...card } = cards.approved
  await shop.journal.pay(key, 'createRecurringPayment', {
    recurringCardType: 'SRC',
    ...money,
    ...card,
    ...schedule,
    serverCallbackUrl: shop.url + CALLBACK_PATH,
  })
  const { status } = await outcomeOf({ database }, key)
  check(`the shop asks for $15.00 on this day of every month: ${status}`, status === 'approved')
  const [attempt] = await shop.journal.attempts(key)
  // Each charge is an order of its own. Its id is the reference of the recurring payment and its number (gaps part 13).
  const charge = { clientOrderId: `${attempt?.reference}-1` }
  const first = await client.waitForOutcome(charge, { deadlineMs: PATIENCE_MS })
  const amount = 'reply' in first ? first.reply.amount : undefined
  check(
    `the gateway makes the first charge today: ${first.outcome}`,
    first.outcome === 'approved' && amount === '15.00',
  )
  const startDate = new Date().toISOString().slice(0, 10)
  const days = previewCharges({ ...schedule, startDate }, 4).slice(1)
  tell(`the next charges: ${days.map(({ date }) => date).join(', ')}`)
}
