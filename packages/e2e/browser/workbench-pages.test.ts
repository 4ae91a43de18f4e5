import { createJournal, memoryJournalStore } from '@tallystick/journal'
import { findChromium, openBrowser, overflow, violationsOf } from '@tallystick/test-browser'
import { cards, fakeClock, saleInput } from '@tallystick/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { moves } from './support/visit.ts'
import { WINDOWS } from './support/windows.ts'
import { goTo, OPERATOR_KEY, workbenchDesk } from './support/workbench-desk.ts'

type Desk = Awaited<ReturnType<typeof workbenchDesk>>

const SCHEMES = [
  ['at a desk, light', { ...WINDOWS['at a desk'], colorScheme: 'light' }],
  ['on a phone, dark', { ...WINDOWS['on a phone'], colorScheme: 'dark' }],
] as const

/** A journal in this process with an intent in review: its card was stored, and the reply lost. */
async function inReview({ gateway, paid }: Desk, decisionsFromWorkbench: boolean) {
  const { recording } = gateway
  if (recording === undefined) throw new Error('startGateway records')
  const client = gateway.client({ recorder: recording })
  const store = memoryJournalStore()
  const settings = { client, store, recorder: recording, decisionsFromWorkbench, onEvent: () => {} }
  const journal = createJournal({ ...settings, handler: () => {}, onNotice: 'ignore' })
  onTestFinished(() => journal.close())
  const orderId = await paid('inv-1')
  gateway.next('createCardRef').loseReplyAfterCommit()
  await journal.pay('card of anna', 'createCardRef', { clientOrderId: 'inv-1', orderId })
  return journal
}

/** By keyboard alone: to a control of this name, and on it. */
async function press(page: Page, role: 'button' | 'textbox' | 'radio', name: string | RegExp, keys: string) {
  const control = page.getByRole(role, { name }).first()
  await control.focus()
  if (role === 'textbox') await page.keyboard.insertText(keys)
  else await page.keyboard.press(keys)
}

describe.skipIf(findChromium() === undefined)('the pages of the workbench in a browser', () => {
  let browser: Browser
  let desk: Desk | undefined
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    await desk?.close()
    desk = undefined
  })

  async function started(...options: Parameters<typeof workbenchDesk> extends [Browser, ...infer Rest] ? Rest : never) {
    desk = await workbenchDesk(browser, ...options)
    return desk
  }

  test.for(SCHEMES)(
    '[F-E10] [F-E13] [F-E14] %s an order, callbacks, a journal, the time and the set-up: accessible, as wide as the window, still, at most 150 kB',
    async ([, window]) => {
      const world = await started()
      const { paid, client, gateway, open, listener } = world
      const held = await paid('inv-2', cards.approved, 'preauth')
      await client.capture({ clientOrderId: 'inv-2', orderId: held, amount: '4.00', currency: 'USD' })
      await gateway.settled()
      await inReview(world, true)
      const { page, complaints, fetched } = await open('', window)
      const { controlKey } = gateway.merchant
      const secrets = [OPERATOR_KEY, typeof controlKey === 'string' ? controlKey : controlKey.reveal()]
      const places = [
        [`#/order/${held}`, 'inv-2', 'What may be done now'],
        ['#/callbacks', 'Callbacks', undefined],
        ['#/callbacks?q=nothing', 'Callbacks', undefined],
        ['#/journal', 'Journal', 'To decide'],
        ['#/time', 'Time', 'What is due'],
        ['#/set-up', 'Set-up', 'Check it'],
      ] as const
      for (const [place, heading, part] of places) {
        await goTo(page, place, heading)
        if (part !== undefined) await page.getByRole('heading', { level: 2, name: part }).waitFor()
        for (const summary of await page.locator('summary').all()) await summary.click()
        expect([place, await violationsOf(page), await overflow(page)]).toEqual([place, [], 0])
        const said = await page.content()
        for (const secret of secrets) expect(said.includes(secret)).toBe(false)
      }
      expect(complaints).toEqual([])
      const own = fetched.filter(({ url }) => !url.startsWith('data:'))
      expect(own.filter(({ url }) => new URL(url).origin !== listener.origin)).toEqual([])
      const weight = own.filter(({ url }) => !url.includes('/__sandbox')).reduce((sum, { bytes }) => sum + bytes, 0)
      expect(weight).toBeGreaterThan(10_000)
      expect(weight).toBeLessThanOrEqual(150_000)
    },
  )

  test.for([
    ['an order', 'order', 'What is due'],
    ['callbacks', '#/callbacks', undefined],
    ['a journal', '#/journal', 'Intents'],
    ['the time', '#/time', 'What is due'],
    ['the set-up', '#/set-up', 'What can go wrong'],
  ] as const)('[F-E14] nothing moves when %s comes', async ([, place, section]) => {
    const world = await started()
    const held = await world.paid('inv-2', cards.approved, 'preauth')
    await inReview(world, true)
    const { page } = await world.open(place === 'order' ? `#/order/${held}` : place)
    if (section === undefined) await page.getByText('acknowledged', { exact: true }).first().waitFor()
    else await page.getByRole('heading', { level: 2, name: section }).waitFor()
    expect(await moves(page)).toEqual([])
  })

  test('[F-E12] an order is captured in part, returned and charged back from its page, and its books stay even', async () => {
    const { paid, open } = await started()
    const orderId = await paid('inv-1', cards.approved, 'preauth')
    const { page } = await open(`#/order/${orderId}`)
    const sums = page.getByRole('row', { name: /^Sum/ })
    const amount = page.getByLabel('Amount').first()
    await amount.fill('4.00')
    await press(page, 'button', 'Capture', 'Enter')
    await page.getByText('capture of up to 6.42 USD').waitFor()
    expect(await sums.locator('td').allInnerTexts()).toEqual(['-10.42', '6.42', '4.00'])
    await press(page, 'button', 'Return', 'Enter')
    await page.getByText('only a preauth', { exact: false }).first().waitFor({ state: 'detached' })
    await page.locator('.timeline > li').filter({ hasText: 'approved: reversal of 4.00 USD' }).waitFor()
    await press(page, 'button', 'Void', 'Enter')
    await page.locator('.timeline > li').filter({ hasText: 'approved: cancel of 6.42 USD' }).waitFor()
    await expect.poll(() => sums.locator('td').allInnerTexts()).toEqual(['0.00', '0.00', '0.00'])
    const actions = page.getByRole('region', { name: 'What may be done now' })
    const why = actions.getByRole('listitem').filter({ hasText: /^capture/ })
    expect(await why.textContent()).toBe('captureno: nothing is on hold any more (rule S3-01)')
    expect(
      await page
        .getByRole('img', { name: /^Operations: preauth, capture, cancel, reversal, chargeback \(not made\)/ })
        .count(),
    ).toBe(1)
  })

  test('[F-E12] a shop is tried with forged, shifted and doubled callbacks, and the page says what its answers mean', async () => {
    const { paid, open, shop } = await started()
    await paid('inv-1')
    const { page } = await open('#/callbacks')
    await page.getByText('acknowledged', { exact: true }).waitFor()
    await page.locator('summary').press('Enter')
    await press(page, 'button', 'Forged', 'Enter')
    await page.getByText('acknowledged, although it is not from the gateway').waitFor()
    shop.answers(403)
    await press(page, 'button', 'Shifted', 'Enter')
    await page.getByText('not acknowledged: your shop has no such order').waitFor()
    await press(page, 'button', 'Twice', 'Enter')
    await page.getByText('not acknowledged, although its control is valid').nth(1).waitFor()
    expect(shop.called()).toBe(5)
    expect(await page.getByRole('list', { name: 'Hosts' }).textContent()).toMatch(/answers 200 since .* once/)
    await page.getByRole('link', { name: shop.origin }).click()
    expect(new URL(page.url()).hash).toBe(`#/callbacks?${new URLSearchParams({ host: shop.origin }).toString()}`)
  })

  test('[F-E15] [F-E14] by keyboard alone: what is in review is decided, and the journal has written it', async () => {
    const world = await started()
    const journal = await inReview(world, true)
    const { page } = await world.open('#/journal')
    const review = page.getByRole('region', { name: 'To decide' })
    await review.getByText('the reply was lost, and there is no status to ask for').waitFor()
    expect(await moves(page)).toEqual([])
    await press(page, 'radio', /^reference/, 'Space')
    await press(page, 'button', 'Write the decision', 'Enter')
    await page.getByText('say who decides and why').waitFor()
    await press(page, 'textbox', 'Id at the gateway', '531396663215664')
    await press(page, 'textbox', 'Who decides', 'anna')
    await press(page, 'textbox', 'Why', 'the gateway shows it')
    await press(page, 'button', 'Write the decision', 'Enter')
    await review.getByText('Nothing: no intent is in review').waitFor()
    const [intent] = await journal.attempts('card of anna')
    expect(intent).toMatchObject({ state: 'FINAL', reference: '531396663215664' })
  })

  test('[F-E15] where no journal takes decisions, the page has the command that makes them', async () => {
    const world = await started()
    const journal = await inReview(world, false)
    const [intent] = await journal.attempts('card of anna')
    const { page } = await world.open('#/journal')
    await page
      .getByText(`npx tallystick-journal settle ${intent?.intentId} --as nothing-charged --by WHO --because WHY`)
      .waitFor()
    expect(await page.getByRole('button', { name: 'Write the decision' }).count()).toBe(0)
  })

  test('[F-E12] a journal, callbacks and orders that are not there say what to do next', async () => {
    const { open } = await started()
    const { page } = await open('#/journal')
    await page.getByText('No journal is connected').waitFor()
    await goTo(page, '#/callbacks', 'Callbacks')
    await page.getByText('No callback was sent yet').waitFor()
    await goTo(page, '#/time', 'Time')
    await page.getByText('Nothing is due').waitFor()
    await goTo(page, '#/order/123456789012345', /Order/)
    await page.getByText('there is no order of this id').waitFor()
  })

  test('[F-E12] a clock that stands still stands still on the page, and shows what ran when it is advanced', async () => {
    const { paid, open } = await started({ clock: fakeClock() })
    await paid('inv-1', cards.approved, 'preauth')
    const { page } = await open('#/time')
    await page.getByText('stands still until it is advanced').waitFor()
    const shown = () => page.locator('.clock').textContent()
    const before = await shown()
    await expect.poll(() => page.evaluate<number>('performance.now()'), { timeout: 9_000 }).toBeGreaterThan(3_500)
    expect(await shown()).toBe(before)
    await press(page, 'button', 'Advance to what is due next', 'Enter')
    const ran = page.getByRole('region', { name: 'What ran' })
    await ran.getByText(/approved: cancel of 10\.42 USD/).waitFor()
    expect(await shown()).toMatch(/^2030-01-08 00:00:00/)
  })

  test('[F-E13] the set-up pays to see whether all is right, and gives the control key to the clipboard once', async () => {
    const { open, shop, gateway, listener } = await started()
    const { page } = await open('#/set-up', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByLabel('Callback address, if you like').fill(`${shop.origin}/callback`)
    await press(page, 'button', 'Send a test payment', 'Enter')
    await page.getByText('Your shop has acknowledged the callback').waitFor()
    await page.getByText('The bank has approved it').waitFor()
    await press(page, 'button', /Copy the control key, once/, 'Enter')
    await page.getByText('The sandbox does not say it again').waitFor()
    const { controlKey } = gateway.merchant
    const key = typeof controlKey === 'string' ? controlKey : controlKey.reveal()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
    expect((await page.content()).includes(key)).toBe(false)
    await press(page, 'button', /Copy the control key, once/, 'Enter')
    await page.getByText('its key was taken before').waitFor()
    expect(new URL(page.url()).origin).toBe(listener.origin)
  })

  test('[F-E12] requests are found by the first six and last four of a card, an amount, an error code, and what failed alone', async () => {
    const { paid, open, client } = await started()
    await paid('inv-1')
    await paid('inv-2', cards.expired)
    await client.sale(saleInput({ clientOrderId: 'inv-3', amount: '77.10' }))
    const { page } = await open('#/live')
    const rows = page.getByRole('list').locator('a.row')
    const search = page.getByRole('searchbox', { name: 'Search' })
    for (const [text, order] of [
      [`${cards.approved.cardNumber.slice(0, 6)} ${cards.approved.cardNumber.slice(-4)}`, 'inv-1'],
      ['77.10', 'inv-3'],
      ['/api/v2/sale', 'inv-2'],
      ['declined', 'inv-2'],
    ] as const) {
      await search.fill(text)
      await rows.filter({ hasText: order }).first().waitFor()
    }
    expect(await rows.filter({ hasText: 'inv-3' }).count()).toBe(0)
    await page.getByLabel('Show').selectOption('failed')
    expect(await rows.count()).toBe(0)
    expect(new URL(page.url()).hash).toBe('#/live?q=declined&kind=failed')
  })
})
