import { cards, saleInput, type TestCard } from '@tallystick/testing'
import type { Stage } from './stage.ts'

/** A sale whose customer is sent to the gateway for 3DS: where to, and what the order is known by. */
export async function redirectedSale(
  { client, shop, gateway }: Stage,
  card: keyof typeof cards | TestCard,
  /** Where the browser goes at the end, if the shop says so at all. */
  back: { readonly redirectUrl?: string } = { redirectUrl: `${shop.origin}/return` },
) {
  const input = saleInput({ ...(typeof card === 'string' ? cards[card] : card), ...back })
  const result = await client.sale(input)
  const address = result.outcome === 'accepted' ? result.reply.redirectUrl : undefined
  if (address === undefined) throw new Error(`The sale has no address: ${result.outcome}`)
  await gateway.settled()
  return { address, ids: { clientOrderId: input.clientOrderId } }
}
