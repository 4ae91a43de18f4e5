import { Browser, buy as buyFrom, type World } from '@tallystick/shop-kit'
import type { TestCard } from '@tallystick/testing'

/** Buys a product. Ends at the page of its order. */
export async function buy({ shop }: World, product: string, card: TestCard): Promise<Browser> {
  return await buyFrom(shop.url, product, card, { tell: () => {}, check: () => {} })
}

export async function newBrowser(address: string): Promise<Browser> {
  const browser = new Browser()
  await browser.open(address)
  return browser
}
