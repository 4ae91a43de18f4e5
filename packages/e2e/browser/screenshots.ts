/**
 * Writes docs/images: the pages of the gateway, at a desk and on a phone.
 *
 *     pnpm screenshots
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Secret } from '@tallystick/core'
import { createSandbox, listen } from '@tallystick/gateway'
import { openBrowser } from '@tallystick/test-browser'
import { cards, saleInput, startGateway } from '@tallystick/testing'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { DEAD_ENDS } from './support/dead-ends.ts'
import { FAILURES } from './support/failures.ts'
import { fillIn, submit } from './support/fill-in.ts'
import { goOn, typeCode } from './support/go-on.ts'
import { redirectedSale } from './support/redirected-sale.ts'
import { FORMS, openStage } from './support/stage.ts'
import { openThreeDsShop } from './support/three-ds-shop.ts'
import { SCRIPT } from './support/windows.ts'

const FOLDER = join(import.meta.dirname, '../../../docs/images')
const WINDOWS: Readonly<Record<string, BrowserContextOptions>> = {
  desk: { viewport: { width: 1024, height: 768 } },
  phone: { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true },
}

const stage = await openStage()
const threeDsShop = await openThreeDsShop({ client: stage.client, settled: stage.gateway.settled })
mkdirSync(FOLDER, { recursive: true })
for (const [window, options] of Object.entries(WINDOWS)) {
  const shoot = (page: Page, name: string) =>
    page.screenshot({ path: join(FOLDER, `${name}-${window}.png`), fullPage: true, animations: 'disabled' })
  const open = async (address: string, changes: BrowserContextOptions = {}) => {
    const customer = await stage.newCustomer({ locale: 'en-GB', ...options, ...changes })
    const page = await customer.newPage()
    await page.goto(address)
    return page
  }

  for (const form of FORMS) await shoot(await open((await stage.openForm(form)).address), `form-${form}`)

  const wrong = await open((await stage.openForm('sale')).address)
  await fillIn(wrong, 'sale', { number: '4444333322221112', expiry: '1220', cvv: '1' })
  await submit(wrong)
  await shoot(wrong, 'form-errors')

  const refused = await open((await stage.openForm('sale')).address, { javaScriptEnabled: false })
  await refused.evaluate('document.forms[0].noValidate = true')
  await fillIn(refused, 'sale', { number: '4444333322221112' })
  await submit(refused)
  await refused.locator('.summary').waitFor()
  await shoot(refused, 'form-refused')

  const dark = await open((await stage.openForm('payout', { preferredLanguage: 'de' })).address, {
    colorScheme: 'dark',
  })
  await dark.getByRole('radio', { name: 'Bankkonto' }).check()
  await shoot(dark, 'form-payout-german-dark')

  const waiting = await open((await stage.openForm('sale')).address)
  await fillIn(waiting, 'sale', { cvv: '217' })
  await submit(waiting)
  await waiting.getByRole('status').waitFor()
  await shoot(waiting, 'wait')

  const undecided = await open((await stage.openForm('sale')).address, { javaScriptEnabled: false })
  await fillIn(undecided, 'sale', { cvv: '217' })
  await submit(undecided)
  await undecided.getByRole('status').waitFor()
  // After a minute and a half the browser goes back without an outcome.
  await stage.gateway.clock.advance('2m')
  await undecided.getByRole('button', { name: 'Continue to the shop' }).waitFor()
  await shoot(undecided, 'return-undecided')

  for (const [name, cvv] of Object.entries({ return: '123', 'return-failed': '999' })) {
    const back = await open((await stage.openForm('sale')).address, { javaScriptEnabled: false })
    await fillIn(back, 'sale', { cvv })
    await submit(back)
    await back.getByRole('button', { name: 'Continue to the shop' }).waitFor()
    await shoot(back, name)
  }

  const method = await open((await redirectedSale(stage, 'threeDsMethod')).address, { javaScriptEnabled: false })
  await shoot(method, 'three-ds-method')

  const toBank = await open((await redirectedSale(stage, 'threeDs')).address, { javaScriptEnabled: false })
  await shoot(toBank, 'three-ds-redirect')
  await toBank.getByRole('button', { name: 'Continue to your bank' }).click()
  await toBank.getByLabel('Code').fill('hint')
  await toBank.getByRole('button', { name: 'Confirm' }).click()
  await toBank.getByText('That is all.').waitFor()
  await shoot(toBank, 'three-ds-issuer-done')

  const nowhere = await open((await redirectedSale(stage, 'threeDs', {})).address)
  await nowhere.getByRole('button', { name: 'Cancel' }).click()
  await nowhere.getByText('You can close this page.').waitFor()
  await shoot(nowhere, 'return-without-address')

  const issuer = await open((await redirectedSale(stage, 'threeDs')).address)
  await issuer.getByLabel('Code').waitFor()
  await shoot(issuer, 'three-ds-issuer')

  const wrongCode = await open((await redirectedSale(stage, 'threeDs')).address, { colorScheme: 'dark' })
  await wrongCode.getByLabel('Code').fill('wrong')
  await wrongCode.getByRole('button', { name: 'Confirm' }).click()
  await wrongCode.getByText('This code is not right').waitFor()
  await shoot(wrongCode, 'three-ds-wrong-code-dark')

  const late = await open(`${threeDsShop.origin}/pay?id=${await threeDsShop.sold('threeDs')}`)
  await goOn(late, 'issuer', SCRIPT['with script'])
  await stage.gateway.clock.advance('31m')
  await typeCode(late, 'hint')
  await late.getByRole('button', { name: 'Continue to the shop' }).waitFor()
  await shoot(late, 'three-ds-too-late')

  for (const [name, lead] of Object.entries(DEAD_ENDS)) {
    const end = await open('about:blank')
    await lead(end, { stage, threeDsShop })
    await shoot(end, `three-ds-${name}`)
  }

  for (const [status, lead] of Object.entries(FAILURES)) {
    const failed = await open('about:blank')
    await lead(failed, stage)
    await shoot(failed, `failure-${status}`)
  }
}
await threeDsShop.close()
await stage.close()
await shootWorkbench()

/** The workbench of a sandbox with an order that was refunded in part. */
async function shootWorkbench(): Promise<void> {
  const browser = await openBrowser()
  await using gateway = await startGateway()
  const operatorKey = randomBytes(32).toString('hex')
  const listener = await listen(createSandbox(gateway, { operatorKey: new Secret(operatorKey) }), { lingerMs: 0 })
  const client = gateway.client()
  const sold = await client.sale(saleInput({ ...cards.approved, clientOrderId: 'invoice-112' }))
  if (sold.outcome !== 'accepted') throw new Error(`The sale was ${sold.outcome}`)
  const { orderId } = sold.reply
  await gateway.settled()
  await client.return({ clientOrderId: 'invoice-112', orderId, amount: '5.21', currency: 'USD', comment: 'half' })
  await gateway.settled()
  const page = await browser.newPage({ viewport: { width: 1024, height: 640 } })
  await page.goto(`${listener.origin}/?token=${operatorKey}#/order/${orderId}`)
  await page.getByRole('heading', { level: 1, name: 'invoice-112' }).waitFor()
  await page.screenshot({ path: join(FOLDER, 'workbench-desk.png'), animations: 'disabled' })
  await browser.close()
  await listener.close()
}
