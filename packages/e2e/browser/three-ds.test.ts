import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Acquirer, simulator } from '@tallystick/gateway'
import { cards, saleInput, serverToServer } from '@tallystick/testing'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { fillIn, submit } from './support/fill-in.ts'
import { findChromium } from './support/find-chromium.ts'
import { redirectedSale } from './support/redirected-sale.ts'
import { openStage, type Stage, type StageOptions } from './support/stage.ts'
import { openThreeDsShop } from './support/three-ds-shop.ts'
import { layoutShift, overflow, violationsOf, visit } from './support/visit.ts'

const WINDOWS = {
  'at a desk': { viewport: { width: 1280, height: 900 } },
  'on a phone': { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
} as const
const SCRIPT = { 'with script': true, 'without script': false } as const
type Card = keyof typeof cards
const CHALLENGED = ['threeDs', 'threeDsMethod', 'threeDsNoMethodUrl', 'threeDsPaReq'] as const satisfies readonly Card[]

describe.skipIf(findChromium() === undefined)('3DS in a browser', () => {
  let stage: Stage
  const customers: BrowserContext[] = []
  beforeAll(async () => {
    stage = await openStage()
  })
  afterEach(() => Promise.all(customers.splice(0).map((customer) => customer.close())))
  afterAll(() => stage.close())

  async function newCustomer(options: Parameters<Stage['newCustomer']>[0] = {}, at = stage) {
    const customer = await at.newCustomer({ locale: 'en-GB', ...options })
    customers.push(customer)
    return customer
  }

  const redirected = (card: Card) => redirectedSale(stage, card)

  /** Where there is no script, the buttons lead on, until the issuer asks or the shop is reached. */
  async function goOn(page: Page, javaScriptEnabled: boolean): Promise<void> {
    const code = page.getByLabel('Code')
    const shop = page.getByRole('heading', { name: 'Thank you' })
    if (javaScriptEnabled) return await code.or(shop).waitFor()
    for (let steps = 0; steps < 10 && !(await code.or(shop).isVisible()); steps++) {
      await page.getByRole('button', { name: /^Continue/ }).click()
    }
  }

  describe.each(Object.entries(WINDOWS))('%s', (_, window) => {
    describe.each(Object.entries(SCRIPT))('%s', (_, javaScriptEnabled) => {
      test.for(CHALLENGED)('the right code, and the browser goes back: %s', async (card) => {
        const { address, ids } = await redirected(card)
        const customer = await newCustomer({ ...window, javaScriptEnabled })
        const { page, complaints, fetched } = await visit(customer, address)
        await goOn(page, javaScriptEnabled)
        expect(await overflow(page)).toBe(0)
        await page.getByLabel('Code').pressSequentially('hint')
        await page.getByRole('button', { name: 'Confirm' }).click()
        await goOn(page, javaScriptEnabled)
        await page.getByRole('heading', { name: 'Thank you' }).waitFor()
        const fields = { status: 'approved', client_orderid: ids.clientOrderId }
        expect(stage.shop.returns.at(-1)).toMatchObject({ method: 'POST', fields })
        expect(await stage.client.status(ids)).toMatchObject({ verified3dStatus: 'AUTHENTICATED' })
        expect(complaints).toEqual([])
        expect(fetched.filter(({ bytes }) => bytes >= 30_000)).toEqual([])
      })

      test.for([
        ['threeDs', 'three wrong codes'],
        ['threeDsPaReq', '"Cancel"'],
      ] as const)('%s: %s decline', async ([card, what]) => {
        const { address, ids } = await redirected(card)
        const { page, complaints } = await visit(await newCustomer({ ...window, javaScriptEnabled }), address)
        await goOn(page, javaScriptEnabled)
        if (what === '"Cancel"') await page.getByRole('button', { name: 'Cancel' }).click()
        else for (const left of ['2 more times', 'last try', undefined]) await typeWrong(page, left)
        await goOn(page, javaScriptEnabled)
        await page.getByRole('heading', { name: 'Thank you' }).waitFor()
        expect(await stage.client.status(ids)).toMatchObject({ status: 'declined', errorCode: '122' })
        expect(withoutRefusals(complaints)).toEqual([])
      })

      test('the method frame is Y with script and N without, and nothing more is asked', async () => {
        const { address, ids } = await redirected('threeDsFrictionless')
        const { page, complaints } = await visit(await newCustomer({ ...window, javaScriptEnabled }), address)
        await goOn(page, javaScriptEnabled)
        await page.getByRole('heading', { name: 'Thank you' }).waitFor()
        expect(stage.authenticated.at(-1)).toEqual({ step: 'method', value: javaScriptEnabled ? 'Y' : 'N' })
        expect(await stage.client.status(ids)).toMatchObject({ status: 'approved' })
        expect(complaints).toEqual([])
      })
    })

    test('[axe] the page of the simulated issuer, with its error and in the dark', async () => {
      const { page } = await visit(
        await newCustomer({ ...window, colorScheme: 'light' }),
        (await redirected('threeDs')).address,
      )
      await page.getByLabel('Code').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await typeWrong(page, '2 more times')
      expect(await violationsOf(page)).toEqual([])
      expect(await layoutShift(page)).toBe(0)
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violationsOf(page)).toEqual([])
    })

    test.for(['threeDs', 'threeDsMethod', 'threeDsNoMethodUrl', 'threeDsPaReq'] as const)(
      '[axe] the page before the issuer, as it stays without script: %s',
      async (card) => {
        const plain = await newCustomer({ ...window, javaScriptEnabled: false })
        const { page } = await visit(plain, (await redirected(card)).address)
        expect(await overflow(page)).toBe(0)
        // axe itself is script: what is checked is a copy of the page, whose own script does not run.
        const copy = await (await newCustomer(window)).newPage()
        await copy.setContent((await page.content()).replace(/<script.*<\/script>/s, ''))
        expect(await violationsOf(copy)).toEqual([])
      },
    )
  })

  test('a hosted form goes on with 3DS', async () => {
    const { address, clientOrderId } = await stage.openForm('sale')
    const { page, complaints } = await visit(await newCustomer(), address)
    await fillIn(page, 'sale', { number: cards.threeDsMethod.cardNumber, cvv: '321' })
    await submit(page)
    await page.getByLabel('Code').pressSequentially('hint')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(await stage.client.status({ clientOrderId })).toMatchObject({ verified3dStatus: 'AUTHENTICATED' })
    expect(complaints).toEqual([])
  })

  test('who comes again after the outcome is led to the outcome', async () => {
    const { address, ids } = await redirected('threeDs')
    const { page } = await visit(await newCustomer(), address)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    await page.goto(address)
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(stage.shop.returns.at(-1)?.fields).toMatchObject({ status: 'declined', client_orderid: ids.clientOrderId })
  })

  test('[S8-01] [G12-13] an issuer whose method frame never ends is waited for, and then it is N', async () => {
    await withSilentIssuer(async (options) => {
      const silent = await openStage(options)
      try {
        const { address } = await redirectedSale(silent, 'threeDsMethod')
        const customer = await newCustomer({}, silent)
        const { page, complaints } = await visit(customer, address)
        expect(await page.getByText('This takes 5 seconds at most.').isVisible()).toBe(true)
        expect(await violationsOf(page)).toEqual([])
        await page.getByLabel('Code').waitFor()
        expect(silent.authenticated).toEqual([{ step: 'method', value: 'N' }])
        expect(complaints).toEqual([])
      } finally {
        await silent.close()
      }
    })
  })

  describe('through the pages of the shop', () => {
    let shop: Awaited<ReturnType<typeof openThreeDsShop>>
    beforeAll(async () => {
      shop = await openThreeDsShop({ client: stage.client, settled: stage.gateway.settled })
    })
    afterAll(() => shop.close())

    async function sold(card: Card): Promise<string> {
      const input = saleInput({ ...cards[card], ...serverToServer })
      const redirectUrl = `${shop.origin}/return?id=${input.clientOrderId}`
      await stage.client.sale({ ...input, redirectUrl })
      return input.clientOrderId
    }

    test.for(CHALLENGED)('[G8-01] [G8-02] [G8-03] the right code: %s', async (card) => {
      const id = await sold(card)
      const { page, complaints } = await visit(await newCustomer(), `${shop.origin}/pay?id=${id}`)
      await page.getByLabel('Code').pressSequentially('hint')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      expect(await stage.client.status({ clientOrderId: id })).toMatchObject({ status: 'approved' })
      expect(complaints).toEqual([])
    })

    test('[G8-02] the method frame alone is Y', async () => {
      const id = await sold('threeDsFrictionless')
      const { page } = await visit(await newCustomer(), `${shop.origin}/pay?id=${id}`)
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      expect(stage.authenticated.at(-1)).toEqual({ step: 'method', value: 'Y' })
      expect(await stage.client.status({ clientOrderId: id })).toMatchObject({ status: 'approved' })
    })

    test('the challenge may stand in a frame of the shop', async () => {
      const id = await sold('threeDs')
      const { page, complaints } = await visit(await newCustomer(), `${shop.origin}/frame?id=${id}`)
      const bank = page.frameLocator('iframe')
      await bank.getByLabel('Code').pressSequentially('hint')
      await bank.getByRole('button', { name: 'Confirm' }).click()
      await bank.getByRole('heading', { name: 'Thank you' }).waitFor()
      expect(complaints).toEqual([])
    })
  })
})

async function typeWrong(page: Page, left: string | undefined): Promise<void> {
  await page.getByLabel('Code').fill('wrong')
  await page.getByRole('button', { name: 'Confirm' }).click()
  if (left !== undefined) await page.getByText(left).waitFor()
}

/** The browser itself reports every answer of 4xx, also the page that says what was wrong. */
function withoutRefusals(complaints: readonly string[]): readonly string[] {
  return complaints.filter((complaint) => !complaint.includes('422'))
}

/** An issuer whose method URL answers nothing; the gateway waits five seconds. */
async function withSilentIssuer(act: (options: StageOptions) => Promise<void>): Promise<void> {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const methodUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/method`
  const inner = simulator()
  const acquirer: Acquirer = {
    ...inner,
    execute: async (instruction) => {
      const decision = await inner.execute(instruction)
      if (decision.status !== 'processing' || decision.awaits.step !== 'method') return decision
      return { ...decision, awaits: { ...decision.awaits, methodUrl } }
    },
  }
  try {
    await act({ acquirer, profile: { threeDsMethodWaitSeconds: 5 } })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
