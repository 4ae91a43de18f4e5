import { createHash, createHmac } from 'node:crypto'
import { createPaymentClient } from '@tallystick/client'
import { Secret } from '@tallystick/core'
import { findChromium, openBrowser } from '@tallystick/test-browser'
import { cards, saleInput } from '@tallystick/testing'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { workbenchDesk } from './support/workbench-desk.ts'

type Desk = Awaited<ReturnType<typeof workbenchDesk>>

interface Problem {
  /** What the developer has done, who then looks for what is wrong. */
  readonly prepare: (desk: Desk) => Promise<unknown>
  /** What is clicked, from the page that is open first, and the part of the page that has the cause. */
  readonly look: readonly [page: 'errors' | 'live', link: RegExp | undefined, region: string]
  readonly cause: RegExp
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** A payout as a shop signs it by hand, by HMAC-SHA1 (RFC 5849 section 3.4). */
async function payout({ gateway }: Desk, { space = '%20', skewSeconds = 0 }): Promise<void> {
  const { baseUrl, endpointId, login, controlKey } = gateway.merchant
  const url = `${baseUrl}/api/v2/payout/${endpointId}`
  const form = { client_orderid: 'inv-1', order_desc: 'A first payout', amount: '3.00', currency: 'EUR' }
  const oauth = {
    oauth_consumer_key: login,
    oauth_nonce: 'a1b2c3d4e5f6',
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(gateway.clock.now() / 1000) - skewSeconds),
    oauth_version: '1.0',
  }
  const pairs = Object.entries({ ...form, ...oauth }).map(([name, value]) => {
    return `${encode(name)}=${encode(value).replaceAll('%20', space)}`
  })
  const base = ['POST', url, pairs.sort().join('&')].map(encode).join('&')
  const key = typeof controlKey === 'string' ? controlKey : controlKey.reveal()
  const signature = createHmac('sha1', `${encode(key)}&`)
    .update(base)
    .digest('base64')
  const header = Object.entries({ ...oauth, oauth_signature: signature }).map(
    ([name, value]) => `${name}="${encode(value)}"`,
  )
  const headers = { authorization: `OAuth ${header.join(', ')}`, accept: 'application/vnd.pay+json' }
  const reply = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) })
  expect(reply.status).toBe(403)
}

async function signedWith({ gateway }: Desk, controlKey: string): Promise<void> {
  const client = createPaymentClient({ ...gateway.merchant, controlKey: new Secret(controlKey) })
  expect((await client.sale(saleInput({ clientOrderId: 'inv-1' }))).outcome).toBe('rejected')
  await client.close()
}

/** Signed as so many first requests are: with the amount as the form has it. */
async function amountInUnits({ gateway }: Desk): Promise<void> {
  const { baseUrl, endpointId, controlKey } = gateway.merchant
  const key = typeof controlKey === 'string' ? controlKey : controlKey.reveal()
  const email = 'john.smith@example.com'
  const control = createHash('sha1').update(`${endpointId}inv-110.42${email}${key}`).digest('hex')
  const form = { client_orderid: 'inv-1', amount: '10.42', currency: 'EUR', email, control }
  const headers = { accept: 'application/vnd.pay+json' }
  const reply = await fetch(`${baseUrl}/api/v2/sale/${endpointId}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  })
  expect(reply.status).toBe(403)
}

const WHY = 'Why it was refused'
const HINTS = 'What stands out'

const PROBLEMS: Readonly<Record<string, Problem>> = {
  'the wrong key': {
    prepare: (desk) => signedWith(desk, 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'),
    look: ['live', /request sale inv-1/, WHY],
    cause: /compare your key with the one that the gateway has for you/,
  },
  'an amount in units': {
    prepare: amountInUnits,
    look: ['errors', /^amount-in-units$/, WHY],
    cause: /10\.42 is signed as 1042/,
  },
  'a + for a space': {
    prepare: (desk) => payout(desk, { space: '+' }),
    look: ['errors', /^plus-for-space$/, WHY],
    cause: /encode a space as %20/,
  },
  'clocks that differ': {
    prepare: (desk) => payout(desk, { skewSeconds: 1200 }),
    look: ['errors', /^clock-skew$/, WHY],
    cause: /oauth_timestamp is more than 300 s from the present: check the clocks/,
  },
  'a callback that is answered 500': {
    prepare: async ({ shop, paid }) => {
      shop.answers(500)
      await paid('inv-1')
    },
    look: ['errors', /^callback answered 500$/, HINTS],
    cause: /Your shop does not know that it is approved: it answers the callback with 500/,
  },
  'a callback to an address that is not allowed': {
    prepare: async ({ client }) => {
      const serverCallbackUrl = 'http://10.0.0.7/callback'
      expect((await client.sale(saleInput({ clientOrderId: 'inv-1', serverCallbackUrl }))).outcome).toBe('rejected')
    },
    look: ['live', /request sale inv-1/, WHY],
    cause: /server_callback_url\) must name a public host/,
  },
  'a status check that was forgotten': {
    prepare: async ({ client, gateway }) => {
      await client.sale(saleInput({ clientOrderId: 'inv-1' }))
      await gateway.settled()
      await gateway.clock.advance('1m')
    },
    look: ['live', undefined, HINTS],
    cause:
      /does not know that it is approved: the request named no address for a callback, and nobody has asked for the status/,
  },
  'a button that was pressed twice': {
    prepare: async ({ paid }) => {
      await paid('inv-1')
      await paid('inv-2')
    },
    look: ['live', /request sale inv-1/, HINTS],
    cause: /The same card was charged the same amount \d+ m?s after it, as inv-2: was a button pressed twice/,
  },
  'a customer who left at 3-D Secure': {
    prepare: async ({ paid, gateway }) => {
      await paid('inv-1', cards.threeDs)
      await gateway.clock.advance('1h')
      await gateway.settled()
    },
    look: ['live', undefined, HINTS],
    cause:
      /Nobody has finished 3-D Secure: the issuer was asked \(challenge\), no result came back.*No page of the gateway was opened/,
  },
  'a hold that has expired': {
    prepare: async ({ paid, client, gateway }) => {
      const orderId = await paid('inv-1', cards.approved, 'preauth')
      await gateway.clock.advance('8d')
      await gateway.settled()
      expect((await client.capture({ clientOrderId: 'inv-1', orderId })).outcome).toBe('rejected')
    },
    look: ['live', undefined, HINTS],
    cause: /The hold has expired: at \S+ \S+ the gateway released 10\.42/,
  },
}

describe.skipIf(findChromium() === undefined)('the workbench shows the cause of', () => {
  let browser: Browser
  let desk: Desk
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    desk = await workbenchDesk(browser)
  })
  afterEach(() => desk.close())

  test.for(Object.entries(PROBLEMS))(
    '[F-E16] %s',
    async ([
      ,
      {
        prepare,
        look: [place, link, region],
        cause,
      },
    ]) => {
      await prepare(desk)
      const { page } = await desk.open(`#/${place}`)
      if (link !== undefined) await page.getByRole('link', { name: link }).first().click()
      if (region === HINTS && place === 'live' && link !== undefined)
        await page
          .getByRole('link', { name: /^\d{15}$/ })
          .first()
          .click()
      const found = page.getByRole('region', { name: region })
      await found.waitFor()
      expect(await found.textContent()).toMatch(cause)
    },
  )
})
