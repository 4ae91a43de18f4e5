import { Secret } from '@tallystick/core'
import { createSandbox, listen } from '@tallystick/gateway'
import { cards, type StartGatewayOptions, saleInput, startGateway, type TestCard } from '@tallystick/testing'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { openCallbackShop } from './callback-shop.ts'
import { visit } from './visit.ts'
import { WINDOWS } from './windows.ts'

export const OPERATOR_KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'

/** A sandbox with its workbench, a shop that is called back, and a person in front of the page. */
export async function workbenchDesk(browser: Browser, options: StartGatewayOptions = {}) {
  const gateway = await startGateway({ onCallback: () => {}, ...options })
  const listener = await listen(createSandbox(gateway, { operatorKey: new Secret(OPERATOR_KEY) }), { lingerMs: 0 })
  const shop = await openCallbackShop()
  const client = gateway.client()

  /** Pays with a callback to the shop; gives the gateway's id. */
  async function paid(clientOrderId: string, card: TestCard = cards.approved, how: 'sale' | 'preauth' = 'sale') {
    const callback = `${shop.origin}/callback`
    const input = saleInput({ ...card, clientOrderId, serverCallbackUrl: callback, notifyUrl: callback })
    const result = await client[how](input)
    await gateway.settled()
    const orderId = result.outcome === 'accepted' ? result.reply.orderId : undefined
    if (orderId === undefined) throw new Error(`The ${how} has no order: ${result.outcome}`)
    return String(orderId)
  }

  return {
    gateway,
    client,
    shop,
    listener,
    paid,
    open: async (place = '', window: BrowserContextOptions = {}) =>
      await visit(
        await browser.newContext({ ...WINDOWS['at a desk'], ...window }),
        `${listener.origin}/?token=${OPERATOR_KEY}${place}`,
      ),
    close: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()))
      await Promise.all([listener.close(), shop.close()])
      await gateway.close()
    },
  }
}

/** Goes to another page of the workbench, and waits for it. */
export async function goTo(page: Page, place: string, heading: string | RegExp): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}
