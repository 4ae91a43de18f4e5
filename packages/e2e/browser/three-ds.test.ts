import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Acquirer, simulator } from '@tallystick/gateway'
import { findChromium, overflow, violationsOf } from '@tallystick/test-browser'
import { cards, cardWithFault, type TestCard } from '@tallystick/testing'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DEAD_ENDS } from './support/dead-ends.ts'
import { fillIn, submit } from './support/fill-in.ts'
import { APPROVING, forge, OF_ANOTHER } from './support/forgery.ts'
import { goOn, leave, typeCode } from './support/go-on.ts'
import { redirectedSale } from './support/redirected-sale.ts'
import { openStage, type Stage, type StageOptions } from './support/stage.ts'
import { openThreeDsShop, type ThreeDsShop } from './support/three-ds-shop.ts'
import { copyInto, moves, stopForms, visit } from './support/visit.ts'
import { SCRIPT, type Script, WINDOWS } from './support/windows.ts'

type Card = keyof typeof cards
const CHALLENGED = ['threeDs', 'threeDsMethod', 'threeDsNoMethodUrl', 'threeDsPaReq'] as const satisfies readonly Card[]
const NOT_GOT_THROUGH = [
  ['threeDs', 'three wrong codes'],
  ['threeDs', '"Cancel"'],
  ['threeDsPaReq', 'three wrong codes'],
  ['threeDsPaReq', '"Cancel"'],
] as const

/**
 * Every window and every kind of script once: what a step does is the same in all four pairs. How pages look and lead on in each
 * pair is tested below, and with the hosted forms.
 */
const CUSTOMERS = [
  { name: 'at a desk, with script', window: WINDOWS['at a desk'], script: SCRIPT['with script'] },
  { name: 'on a phone, without script', window: WINDOWS['on a phone'], script: SCRIPT['without script'] },
] as const

describe.skipIf(findChromium() === undefined)('3DS in a browser', () => {
  let stage: Stage
  let threeDsShop: ThreeDsShop
  const customers: BrowserContext[] = []
  beforeAll(async () => {
    stage = await openStage()
    threeDsShop = await openThreeDsShop({ client: stage.client, settled: stage.gateway.settled })
  })
  afterEach(() => Promise.all(customers.splice(0).map((customer) => customer.close())))
  afterAll(() => Promise.all([threeDsShop.close(), stage.close()]))

  async function newCustomer(options: Parameters<Stage['newCustomer']>[0] = {}, at = stage) {
    const customer = await at.newCustomer({ locale: 'en-GB', ...options })
    customers.push(customer)
    return customer
  }

  /** Of a page without script axe looks at a copy: it is script itself. */
  async function violationsIn(page: Page, window: Parameters<Stage['newCustomer']>[0], { javaScriptEnabled }: Script) {
    if (javaScriptEnabled) return await violationsOf(page)
    const copy = await (await newCustomer(window)).newPage()
    await copyInto(copy, page)
    return await violationsOf(copy)
  }

  const redirected = (card: Card) => redirectedSale(stage, card)
  /** Where the shop takes its customer through 3DS itself. */
  const sold = async (card: Card | TestCard, way: '/pay' | '/frame' = '/pay') => {
    const clientOrderId = await threeDsShop.sold(card)
    return { address: `${threeDsShop.origin}${way}?id=${clientOrderId}`, ids: { clientOrderId } }
  }

  describe.each(CUSTOMERS)('$name', ({ window, script }) => {
    test.for(CHALLENGED)('the right code, and the browser goes back: %s', async (card) => {
      const { address, ids } = await redirected(card)
      const customer = await newCustomer({ ...window, ...script })
      const { page, complaints, fetched } = await visit(customer, address)
      await goOn(page, 'issuer', script)
      expect(await overflow(page)).toBe(0)
      await typeCode(page, 'hint')
      await goOn(page, 'shop', script)
      const fields = { status: 'approved', client_orderid: ids.clientOrderId }
      expect(stage.shop.returns.at(-1)).toMatchObject({ method: 'POST', fields })
      expect(await stage.client.status(ids)).toMatchObject({ verified3dStatus: 'AUTHENTICATED' })
      expect(complaints).toEqual([])
      expect(fetched.filter(({ bytes }) => bytes >= 30_000)).toEqual([])
    })

    test.for(NOT_GOT_THROUGH)('%s: %s decline', async ([card, what]) => {
      const { address, ids } = await redirected(card)
      const { page, complaints } = await visit(await newCustomer({ ...window, ...script }), address)
      await goOn(page, 'issuer', script)
      await fail(page, what)
      await goOn(page, 'shop', script)
      expect(await stage.client.status(ids)).toMatchObject({ status: 'declined', errorCode: '122' })
      expect(withoutRefusals(complaints)).toEqual([])
    })

    test('the method frame is Y with script and N without, and nothing more is asked', async () => {
      const { address, ids } = await redirected('threeDsFrictionless')
      const { page, complaints } = await visit(await newCustomer({ ...window, ...script }), address)
      await goOn(page, 'shop', script)
      expect(stage.authenticated.at(-1)).toMatchObject({
        step: 'method',
        value: script.javaScriptEnabled ? 'Y' : 'N',
      })
      expect(await stage.client.status(ids)).toMatchObject({ status: 'approved' })
      expect(complaints).toEqual([])
    })

    test.for(['threeDsMethod', 'threeDsPaReq'] as const)('a hosted form goes on with 3DS: %s', async (card) => {
      const { address, clientOrderId } = await stage.openForm('sale')
      const { page, complaints } = await visit(await newCustomer({ ...window, ...script }), address)
      await fillIn(page, 'sale', { number: cards[card].cardNumber, cvv: '321' })
      await submit(page)
      await goOn(page, 'issuer', script)
      await page.getByLabel('Code').fill('hint')
      await page.keyboard.press('Enter')
      await goOn(page, 'shop', script)
      expect(await stage.client.status({ clientOrderId })).toMatchObject({ verified3dStatus: 'AUTHENTICATED' })
      expect(complaints).toEqual([])
    })

    test('who comes again after the outcome is led to the outcome', async () => {
      const { address, ids } = await redirected('threeDs')
      const { page } = await visit(await newCustomer({ ...window, ...script }), address)
      await goOn(page, 'issuer', script)
      await fail(page, '"Cancel"')
      await goOn(page, 'shop', script)
      await page.goto(address)
      await goOn(page, 'shop', script)
      expect(stage.shop.returns.at(-1)?.fields).toMatchObject({
        status: 'declined',
        client_orderid: ids.clientOrderId,
      })
    })

    test('who answers too late finds the order declined, and the acquirer hears nothing', async () => {
      const { address, ids } = await redirected('threeDs')
      const { page, complaints } = await visit(await newCustomer({ ...window, ...script }), address)
      await goOn(page, 'issuer', script)
      const before = stage.authenticated.length
      await stage.gateway.clock.advance('31m')
      await typeCode(page, 'hint')
      await goOn(page, 'shop', script)
      expect(stage.shop.returns.at(-1)?.fields).toMatchObject({
        status: 'declined',
        client_orderid: ids.clientOrderId,
      })
      expect(await stage.client.status(ids)).toMatchObject(ABANDONED)
      expect(stage.authenticated).toHaveLength(before)
      expect(complaints).toEqual([])
    })

    test('an order whose customer never answers ends by itself, and half an hour later its pages are gone', async () => {
      const { address, ids } = await redirected('threeDsPaReq')
      const { page } = await visit(await newCustomer({ ...window, ...script }), address)
      await goOn(page, 'issuer', script)
      await stage.gateway.clock.advance('31m')
      expect(await stage.client.status(ids)).toMatchObject(ABANDONED)
      await stage.gateway.clock.advance('30m')
      await typeCode(page, 'hint')
      await page.getByRole('heading', { name: 'This page has expired' }).waitFor()
      expect(await stage.client.status(ids)).toMatchObject(ABANDONED)
    })

    describe('through the pages of the shop', () => {
      async function enter(card: Card, way: '/pay' | '/frame' = '/pay') {
        const { address, ids } = await sold(card, way)
        return { ids, ...(await visit(await newCustomer({ ...window, ...script }), address)) }
      }

      test.for(CHALLENGED)('[G8-01] [G8-02] [G8-03] the right code: %s', async (card) => {
        const { ids, page, complaints } = await enter(card)
        await goOn(page, 'issuer', script)
        await typeCode(page, 'hint')
        await goOn(page, 'shop', script)
        expect(await stage.client.status(ids)).toMatchObject({ status: 'approved' })
        expect(complaints).toEqual([])
      })

      test('[G8-02] the method frame alone is Y with script and N without', async () => {
        const { ids, page } = await enter('threeDsFrictionless')
        await goOn(page, 'shop', script)
        expect(stage.authenticated.at(-1)).toMatchObject({
          step: 'method',
          value: script.javaScriptEnabled ? 'Y' : 'N',
        })
        expect(await stage.client.status(ids)).toMatchObject({ status: 'approved' })
      })

      test('the challenge may stand in a frame of the shop', async () => {
        const { ids, page, complaints } = await enter('threeDs', '/frame')
        const bank = frameIn(page)
        await goOn(bank, 'issuer', script)
        expect(await overflow(page)).toBe(0)
        await typeCode(bank, 'hint')
        await goOn(bank, 'shop', script)
        expect(await stage.client.status(ids)).toMatchObject({ status: 'approved' })
        expect(complaints).toEqual([])
      })

      test.for(NOT_GOT_THROUGH)('%s: %s decline', async ([card, what]) => {
        const { ids, page, complaints } = await enter(card)
        await goOn(page, 'issuer', script)
        await fail(page, what)
        await goOn(page, 'shop', script)
        expect(await stage.client.status(ids)).toMatchObject({ status: 'declined', errorCode: '122' })
        expect(withoutRefusals(complaints)).toEqual([])
      })

      test.for([
        ['threeDs', '/pay'],
        ['threeDs', '/frame'],
        ['threeDsPaReq', '/pay'],
      ] as const)(
        '[axe] who answers too late finds the page expired, and goes back to the shop: %s at %s',
        async ([card, way]) => {
          const { ids, page, complaints } = await enter(card, way)
          const bank = way === '/frame' ? frameIn(page) : page
          await goOn(bank, 'issuer', script)
          const before = stage.authenticated.length
          await stage.gateway.clock.advance('31m')
          await typeCode(bank, 'hint')
          await bank.getByRole('heading', { name: 'This page has expired' }).waitFor()
          expect(await overflow(page)).toBe(0)
          if (bank === page) expect(await violationsIn(page, window, script)).toEqual([])
          await leave(bank, () => bank.getByRole('button', { name: 'Continue to the shop' }).click())
          await goOn(bank, 'shop', script)
          expect(await stage.client.status(ids)).toMatchObject(ABANDONED)
          expect(stage.authenticated).toHaveLength(before)
          expect(complaints).toEqual([expect.stringContaining('410')])
        },
      )
    })

    test.for([
      ['threeDs', 'the gateway', 'cres'],
      ['threeDs', 'the shop', 'cres'],
      ['threeDsPaReq', 'the gateway', 'PaRes'],
      ['threeDsPaReq', 'the shop', 'PaRes'],
    ] as const)('%s: a refusal that the browser brings to %s as an approval declines', async ([card, to, field]) => {
      const { address, ids } = to === 'the gateway' ? await redirected(card) : await sold(card)
      const customer = await newCustomer({ ...window, ...script })
      const forged = await forge(customer, APPROVING)
      const { page } = await visit(customer, address)
      await goOn(page, 'issuer', script)
      await fail(page, '"Cancel"')
      await goOn(page, 'shop', script)
      expect(forged).toEqual([field])
      expect(await stage.client.status(ids)).toMatchObject(NOT_AUTHENTICATED)
    })

    test('threeDsPaReq: the answer to another MD is none, and the issuer asks again', async () => {
      const { address, ids } = await redirected('threeDsPaReq')
      const customer = await newCustomer({ ...window, ...script })
      const forged = await forge(customer, OF_ANOTHER)
      const { page } = await visit(customer, address)
      await goOn(page, 'issuer', script)
      const ledBack = page.waitForResponse(address)
      await leave(page, () => typeCode(page, 'hint'))
      await goOn(page, 'issuer', script)
      await ledBack
      expect(forged).toEqual(['MD'])
      expect(await stage.client.status(ids)).toMatchObject({ status: 'processing' })
    })

    test('[F-A6] threeDs: a result whose threeDSSessionData came back changed counts, as it names its transaction', async () => {
      const { address, ids } = await redirected('threeDs')
      const customer = await newCustomer({ ...window, ...script })
      const forged = await forge(customer, OF_ANOTHER)
      const { page } = await visit(customer, address)
      await goOn(page, 'issuer', script)
      await leave(page, () => typeCode(page, 'hint'))
      await goOn(page, 'shop', script)
      expect(forged).toEqual(['threeDSSessionData'])
      expect(await stage.client.status(ids)).toMatchObject({ status: 'approved' })
    })
  })

  describe.each(Object.entries(WINDOWS))('%s', (_, window) => {
    describe.each(Object.entries(SCRIPT))('%s', (_, script) => {
      test.for(Object.entries(DEAD_ENDS))(
        '[axe] the page from which nothing leads on, and says so: %s',
        async ([, lead]) => {
          const { page } = await visit(await newCustomer({ ...window, ...script }), 'about:blank')
          await lead(page, { stage, threeDsShop, script })
          expect(await page.locator('a, button, form').count()).toBe(0)
          expect(await violationsIn(page, window, script)).toEqual([])
          if (script.javaScriptEnabled) expect(await moves(page)).toEqual([])
          expect(await overflow(page)).toBe(0)
        },
      )
    })

    test('[axe] the pages of the simulated issuer, with an error and in the dark', async () => {
      const customer = await newCustomer({ ...window, colorScheme: 'light' })
      const { page } = await visit(customer, (await redirected('threeDs')).address)
      await page.getByLabel('Code').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await typeWrong(page, '2 more times')
      expect(await violationsOf(page)).toEqual([])
      expect(await moves(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violationsOf(page)).toEqual([])
      await stopForms(customer)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('That is all.').waitFor()
      expect(await violationsOf(page)).toEqual([])
      expect(await moves(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    })

    test('[S8-01] [G12-13] an issuer whose method frame never ends is waited for, and then it is N', async () => {
      await withSilentIssuer(async (options) => {
        const silent = await openStage(options)
        try {
          const { address } = await redirectedSale(silent, 'threeDsMethod')
          const customer = await newCustomer(window, silent)
          const { page, complaints } = await visit(customer, address)
          expect(await page.getByText('This takes 5 seconds at most.').isVisible()).toBe(true)
          await page.getByLabel('Code').waitFor()
          expect(silent.authenticated).toEqual([{ step: 'method', value: 'N' }])
          expect(complaints).toEqual([])
        } finally {
          await silent.close()
        }
      })
    })

    test('[S8-01] through the pages of the shop a method frame that never ends is waited for, and then it is N', async () => {
      const { address, ids } = await sold(cardWithFault('method-time-out'))
      const { page, complaints } = await visit(await newCustomer(window), address)
      await page.waitForRequest((request) => request.url().startsWith(`${threeDsShop.origin}/waited?`))
      await goOn(page, 'issuer', SCRIPT['with script'])
      await typeCode(page, 'hint')
      await goOn(page, 'shop', SCRIPT['with script'])
      expect(await stage.client.status(ids)).toMatchObject({ status: 'approved' })
      expect(complaints).toEqual([])
    })

    test('[axe] the page that waits for the method frame, and nothing moves', async () => {
      const customer = await newCustomer(window)
      await stopForms(customer)
      const { page } = await visit(customer, (await redirected('threeDsMethod')).address)
      expect(await page.getByText('This takes 10 seconds at most.').isVisible()).toBe(true)
      expect(await violationsOf(page)).toEqual([])
      expect(await moves(page)).toEqual([])
      expect(await overflow(page)).toBe(0)
    })

    test('[axe] the pages before the issuer, as they stay without script', async () => {
      const plain = await newCustomer({ ...window, javaScriptEnabled: false })
      const copy = await (await newCustomer(window)).newPage()
      for (const card of CHALLENGED) {
        const { page } = await visit(plain, (await redirected(card)).address)
        expect(await overflow(page)).toBe(0)
        await copyInto(copy, page)
        expect(await copy.getByRole('button', { name: /^Continue/ }).isVisible()).toBe(true)
        expect(await violationsOf(copy)).toEqual([])
      }
    })
  })
})

/** How an order ends whose customer did not finish the authentication in time. */
const ABANDONED = { status: 'declined', errorCode: '12' }

/** How an order ends whose result the issuer has not written so, whatever it says. */
const NOT_AUTHENTICATED = {
  status: 'declined',
  errorMessage: 'Security violation: the customer was not authenticated',
}

function frameIn(page: Page): Frame {
  const [frame] = page.mainFrame().childFrames()
  if (frame === undefined) throw new Error('The page has no frame')
  return frame
}

/** The page that says so puts the customer into the field again; a browser complains of whoever is there sooner. */
async function typeWrong(page: Page, left: string | undefined): Promise<void> {
  await typeCode(page, 'wrong')
  if (left === undefined) return
  await page.getByText(left).waitFor()
  await page.getByLabel('Code').and(page.locator(':focus')).waitFor()
}

/** How a customer does not get through. */
async function fail(page: Page, what: 'three wrong codes' | '"Cancel"'): Promise<void> {
  if (what === '"Cancel"') await page.getByRole('button', { name: 'Cancel' }).click()
  else for (const left of ['2 more times', 'last try', undefined]) await typeWrong(page, left)
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
