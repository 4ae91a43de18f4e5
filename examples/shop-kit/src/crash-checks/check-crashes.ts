import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { cards, startGateway, type TestGateway } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Browser } from '../browser/browser.ts'
import { openShopDatabase, type ShopDatabase } from '../rows/shop-database.ts'
import type { ProcessSetup } from './serve-shop.ts'
import { forkShop, type ShopProcess } from './shop-process.ts'

/**
 * How far the clock of the next process is ahead. So the tests need not wait until the next process may take over the work that
 * the dead one had claimed.
 */
const LATER_MS = 60_000

/** What the handler has written into the ledger, and the operations of the order. */
const NOTHING_YET = { ledger: [], order: ['sale sent'] }
const PAID = { ledger: ['saleForm approved'], order: ['sale approved'] }
const LATER = 'chargeback approved'
const CHARGED_BACK = { ledger: [...PAID.ledger, LATER], order: [...PAID.order, LATER] }

/**
 * Kills a shop with SIGKILL before the commit of a callback, between that commit and its handler, and within the handler, and
 * starts it again on the same file. A callback that the shop acknowledged has to take effect once, and the shop must not have
 * acknowledged a callback that it did not store.
 *
 * @param program calls `serveShop`
 * @param execArgv options of Node
 */
export function checkCrashes(program: URL, execArgv: readonly string[]): void {
  describe('the shop, killed with SIGKILL', () => {
    let folder: string
    let gateway: TestGateway
    let database: ShopDatabase
    let first: ShopProcess
    let second: ShopProcess
    /** How many callbacks were answered 200. */
    let acknowledged: number
    let onAcknowledged: () => void

    beforeEach(async () => {
      // Both at once, so that the second has loaded by the time the first is killed.
      first = forkShop(program, execArgv)
      second = forkShop(program, execArgv)
      folder = mkdtempSync(join(tmpdir(), 'shop-crash-'))
      database = openShopDatabase(join(folder, 'shop.db'))
      acknowledged = 0
      onAcknowledged = () => {}
      gateway = await startGateway({ currencies: ['USD', 'EUR'], sendCallback: call, onCallback: () => {} })
    })
    afterEach(async () => {
      for (const shop of [first, second]) shop.kill()
      await Promise.all([first.ended, second.ended])
      await gateway.close()
      database.close()
      rmSync(folder, { recursive: true })
    })

    /** Delivers a callback as the gateway does. Fails if no response comes. */
    async function call(url: string): Promise<{ status: number }> {
      const { status } = await fetch(url)
      if (status === 200) {
        acknowledged++
        onAcknowledged()
      }
      return { status }
    }

    async function start(shop: ShopProcess, setup: Partial<ProcessSetup> = {}): Promise<string> {
      const { baseUrl, login, endpointId, controlKey } = gateway.merchant
      const merchant = { baseUrl, login, endpointId, controlKey: controlKey.reveal() }
      const common = { merchant, file: database.file, gateway: new URL(baseUrl).origin, port: 0, aheadMs: 0 }
      return await shop.start({ ...common, diesInHandler: false, ...setup })
    }

    /** Starts the second process on the port of the first. If need be the gateway calls again. Ends when nothing is left. */
    async function startAgain(url: string): Promise<void> {
      await start(second, { port: Number(new URL(url).port), aheadMs: LATER_MS })
      await gateway.clock.advance('1h')
      await gateway.settled()
      second.finish()
      expect(await second.ended).toBe(0)
    }

    /** Leads the customer's browser to the gateway's form. */
    async function checkout(url: string): Promise<Browser> {
      const browser = new Browser()
      await browser.open(url)
      await browser.press(/hazel/)
      return browser
    }

    async function payIn(browser: Browser): Promise<void> {
      const { cardNumber, cvv2, cardPrintedName, expireMonth, expireYear } = cards.approved
      const expiry = expireMonth + expireYear.slice(2)
      const typed = { credit_card_number: cardNumber, expiry, cvv2, card_printed_name: cardPrintedName }
      await browser.press(/^Pay/, typed)
    }

    function effects() {
      const ledger = database.rows.ledger(10).toReversed()
      const operations = database.rows.orders(1).flatMap((order) => order.operations)
      return {
        ledger: ledger.map(({ operation, status }) => `${operation} ${status}`),
        order: operations.map(({ kind, status }) => `${kind} ${status}`),
      }
    }

    test('after it has acknowledged a callback, before the handler: the next process calls the handler, once', async () => {
      const url = await start(first)
      await payIn(await checkout(url))
      await gateway.settled()
      await expect.poll(effects, { timeout: 20_000 }).toEqual(PAID)
      onAcknowledged = first.kill
      // Only a callback reports what happens to a payment later.
      await gateway.chargeback(database.rows.orders(1)[0]?.orderId ?? '')
      expect(await first.ended).toBe('SIGKILL')
      expect([acknowledged, effects()]).toEqual([2, PAID])

      await startAgain(url)
      expect([acknowledged, effects()]).toEqual([2, CHARGED_BACK])
    })

    test('in its handler, before the commit: nothing is written, and the next process calls the handler, once', async () => {
      const url = await start(first, { diesInHandler: true })
      await payIn(await checkout(url))
      expect(await first.ended).toBe('SIGKILL')
      expect(effects()).toEqual(NOTHING_YET)

      await startAgain(url)
      expect([acknowledged, effects()]).toEqual([1, PAID])
    })

    test('before it has stored a callback: it has not acknowledged it, and the gateway calls again', async () => {
      const url = await start(first)
      const browser = await checkout(url)
      const other = new DatabaseSync(database.file, { timeout: 10_000 })
      other.exec('begin immediate') // nobody else can commit
      await payIn(browser)
      await first.called
      await browser.open(url) // it answers other requests, so it could have answered the callback by now
      first.kill()
      await gateway.settled()
      other.close()
      expect([acknowledged, effects()]).toEqual([0, NOTHING_YET])

      await startAgain(url)
      expect([acknowledged, effects()]).toEqual([1, PAID])
    })
  })
}
