import { findChromium, openBrowser, overflow, violationsOf } from '@tallystick/test-browser'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STAFF } from '../access.ts'
import { playJourney } from '../journey/journey.ts'
import type { ShopOrder } from '../rows/order.ts'
import { type StartShop, startWorld, type World } from '../world/world.ts'

const WINDOWS = {
  desk: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>

/** Checks the pages of a shop in this machine's Chromium, at a desk and on a phone. Skipped if there is no Chromium. */
export function checkPages(startShop: StartShop): void {
  describe.skipIf(findChromium() === undefined)('the shop in a real browser', () => {
    let world: World
    let browser: Browser
    let yew: ShopOrder | undefined
    let ash: ShopOrder | undefined

    beforeAll(async () => {
      world = await startWorld({ startShop, gatewayPort: 0, shopPort: 0 })
      await playJourney(world, () => {})
      const orders = world.database.rows.orders(10)
      yew = orders.find(({ name }) => name.startsWith('Set of yew'))
      ash = orders.find(({ cardRefId }) => cardRefId !== undefined)
      browser = await openBrowser()
    })
    afterAll(async () => {
      await browser.close()
      await world.close()
    })

    /** A page, and everything that its console complained about. */
    async function openPage(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
      const httpCredentials = { username: STAFF, password: world.staffPassword, origin: world.shop.url }
      const context = await browser.newContext({ locale: 'en-GB', httpCredentials, ...options })
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => void complaints.push(message.text()))
      page.on('pageerror', (error) => void complaints.push(error.message))
      return { page, complaints }
    }

    describe.each(['desk', 'phone'] as const)('at a %s', (window) => {
      test.for(['light', 'dark'] as const)('every page is accessible and fits, %s', async (colorScheme) => {
        const { page, complaints } = await openPage({ ...WINDOWS[window], colorScheme })
        const office = `/back-office/orders/${yew?.id}`
        for (const path of ['/', `/orders/${yew?.id}`, '/back-office', office, `/back-office/orders/${ash?.id}`]) {
          await page.goto(world.shop.url + path)
          const seen = { path, violations: await violationsOf(page), overflow: await overflow(page) }
          expect(seen).toEqual({ path, violations: [], overflow: 0 })
        }
        expect(complaints).toEqual([])
        await page.context().close()
      })

      test('a customer buys, confirms with the bank, and sees the order page update itself', async () => {
        const { page, complaints } = await openPage(WINDOWS[window])
        await page.goto(world.shop.url)
        await page.getByRole('button', { name: /Tally stick of hazel/ }).click()
        await page.getByLabel('Card number').pressSequentially('4444555566661111')
        const [order] = world.database.rows.orders(1)
        const { page: other } = await openPage(WINDOWS[window])
        await other.goto(`${world.shop.url}/orders/${order?.id}`)
        await other.getByText('Waiting for the payment').waitFor()
        // Keyboard users are on the link at once, and again each time the page has reloaded.
        await other.waitForEvent('load')
        // The browser sets the focus when it draws the page, which may be after the page has loaded.
        await other.getByRole('link', { name: 'Continue to the payment' }).and(other.locator(':focus')).waitFor()
        await page.getByLabel('Expiry date').pressSequentially('1239')
        await page.getByLabel('Security code').pressSequentially('321')
        await page.getByLabel('Name on the card').pressSequentially('John Smith')
        await page.locator('form button').click()
        await page.getByLabel('Code').fill('hint')
        await page.getByRole('button', { name: 'Confirm' }).click()
        await page.getByText('Paid', { exact: true }).waitFor()
        await other.getByText('Paid', { exact: true }).waitFor()
        expect(new URL(page.url()).origin).toBe(world.shop.url)

        await page.goto(`${world.shop.url}/back-office/orders/${order?.id}`)
        await page.getByLabel('At most 10.42 USD').fill('4.00')
        await page.getByRole('button', { name: 'Return' }).click()
        await page.getByText('Partly refunded').waitFor()
        expect(complaints).toEqual([])
        await page.context().close()
        await other.context().close()
      })
    })
  })
}
