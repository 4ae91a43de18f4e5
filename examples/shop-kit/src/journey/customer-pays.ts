import type { TestCard } from '@tallystick/testing'
import { Browser } from '../browser/browser.ts'
import { SILENT, type Story } from './story.ts'

/** Buys a product as a customer does: in the shop, on the gateway's page, and back in the shop. Ends at the order page. */
export async function buy(shop: string, product: string, card: TestCard, story: Story = SILENT): Promise<Browser> {
  const browser = new Browser()
  await browser.open(shop)
  const form = await browser.press(new RegExp(product))
  story.tell(`the customer presses the button for "${product}" and is redirected to the gateway's page`)
  if (new URL(form.url).origin === new URL(shop).origin)
    throw new Error(`The shop did not redirect to the gateway: ${form.text}`)
  await browser.press(/^(Pay|Authorise)/, {
    credit_card_number: card.cardNumber,
    expiry: card.expireMonth + card.expireYear.slice(2),
    cvv2: card.cvv2,
    card_printed_name: card.cardPrintedName,
  })
  await browser.settle()
  if (/bank/i.test(browser.page.text)) await confirmWithBank(browser, story)
  await browser.press(/^Continue to the shop/)
  return browser
}

/** 3-D Secure, without script: the customer presses the buttons by hand. */
async function confirmWithBank(browser: Browser, story: Story): Promise<void> {
  await browser.press(/^Continue to your bank/)
  await browser.press(/^Confirm/, { code: 'hint' })
  story.tell('the bank asks for a code, and the customer types it')
  // The bank sends the browser back to the gateway.
  await browser.press(/^Continue/)
  await browser.settle()
}
