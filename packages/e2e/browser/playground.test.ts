import { verify } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playgroundModule } from '@tallystick/playground/build'
import { findChromium, openBrowser, overflow, violationsOf } from '@tallystick/test-browser'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { visit } from './support/visit.ts'
import { WINDOWS } from './support/windows.ts'

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Playground</title><link rel="icon" href="data:,"><style>pre { white-space: pre-wrap; overflow-wrap: anywhere } input, textarea { max-width: 100% }</style>
<main><h1>Playground</h1><div id="place"></div></main>
<script type="module">import { mount } from '/playground.js'; mount(document.getElementById('place'))</script></html>`

/** The vector of the specification (part 5.1), with its key. */
const KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const FIELDS = 'client_orderid=902B4FF5\namount=10.42\nemail=john.smith@gmail.com'
const CONTROL = 'c6bdd88a78834ef4b863b088827a459f039e8257'

describe.skipIf(findChromium() === undefined)('the playground', () => {
  let browser: Browser
  let server: Server
  beforeAll(async () => {
    const script = await playgroundModule()
    server = createServer(({ url }, response) => {
      const isScript = url === '/playground.js'
      response.setHeader('content-type', isScript ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8')
      response.end(isScript ? script : PAGE)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    browser = await openBrowser()
  })
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(async () => {
    await browser.close()
    server.close()
  })

  const open = async (window: keyof typeof WINDOWS = 'at a desk') => {
    const context = await browser.newContext(WINDOWS[window])
    const visited = await visit(context, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const { page } = visited
    const [sign, explain] = [
      page.getByRole('region', { name: 'Sign a' }),
      page.getByRole('region', { name: 'Explain' }),
    ]
    await sign.waitFor()
    return { ...visited, context, sign, explain }
  }
  type Part = Awaited<ReturnType<typeof open>>['sign']
  const press = (part: Part, name: string) => part.getByRole('button', { name, exact: true }).click()
  /** A busy machine searches for the primes for seconds. */
  const makePair = async (sign: Part) => {
    await press(sign, 'Make a pair for trying')
    const privateKey = () => sign.getByLabel('Private key').inputValue()
    await expect.poll(privateKey, { timeout: 30_000 }).toContain('BEGIN PRIVATE KEY')
  }
  const saidIn = (part: Part) => part.getByRole('status').first().textContent()
  const signedTexts = (part: Part) => part.locator('pre').allInnerTexts()

  test('signs the vector of the specification, and puts it below, where it is right', async () => {
    const { sign, explain } = await open()
    await sign.getByLabel('Fields, one in a line').fill(FIELDS)
    await press(sign, 'Sign')
    expect(await saidIn(sign)).toBe(`Signed: the control is ${CONTROL}`)
    expect(await sign.getByRole('row').allInnerTexts()).toEqual([
      'Term\tText',
      'endpointId\t1111',
      'clientOrderId\t902B4FF5',
      'amountInCents\t1042',
      'email\tjohn.smith@gmail.com',
      'key\t[control key]',
    ])
    await press(sign, 'Put it below, to change something')
    await press(explain, 'Explain')
    expect(await saidIn(explain)).toBe('The control of SALE is right.')
  })

  test('says what a gateway would refuse, and what cannot be signed', async () => {
    const { sign } = await open()
    await sign.getByLabel('Fields, one in a line').fill(`${FIELDS}\nmail=2`)
    await press(sign, 'Sign')
    expect(await sign.getByRole('listitem').allInnerTexts()).toContain(
      'mail is no documented field of SALE: did you mean email?',
    )
    await sign.getByLabel('Id of the endpoint').fill('x')
    await press(sign, 'Sign')
    expect(await saidIn(sign)).toContain('Not signed: “Id of the endpoint” must be a whole number')
  })

  test('is used with the keyboard alone, from the first field to the explanation', async () => {
    const { page, sign, explain } = await open()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Operation')
    await sign.getByLabel('Login').focus()
    await page.keyboard.press('Enter')
    expect(await saidIn(sign)).toMatch(/^Signed: the control is [0-9a-f]{40}$/)
    await tabTo(page, 'Explain')
    await page.keyboard.press('Enter')
    expect(await saidIn(explain)).toBe('The control of SALE is wrong: amount-in-units.')
    expect(await explain.getByRole('term').allInnerTexts()).toEqual(['Cause', 'What to change'])
    expect(await explain.locator('mark').allInnerTexts()).toEqual(['.', ''])
    expect(await explain.getByRole('link').getAttribute('href')).toBe('errors/signatures.html#amount-in-units')
  })

  test('names what remains if no single mistake explains it, in the words of the page', async () => {
    const { explain } = await open()
    await explain.getByLabel('Control key').fill('another')
    await press(explain, 'Explain')
    expect(await saidIn(explain)).toBe('The control of SALE is wrong.')
    expect(await explain.textContent()).toContain('compare the two, or name others with “Other keys”')
    expect(await explain.textContent()).not.toMatch(/--[a-z]/)
  })

  test('explains a callback by its address', async () => {
    const { explain } = await open()
    // As `openssl dgst -sha1` computes it of the terms and the key (docs/reference/signatures.md).
    const query = 'status=approved&orderid=150000000000017&client_orderid=902B4FF5'
    const callback = `https://shop.example.com/cb?${query}&control=d00108435ee14bc5d16d33b7f42f9eb76c0e09c6`
    await explain.getByLabel('What was sent').fill(callback)
    await press(explain, 'Explain')
    expect(await saidIn(explain)).toBe('The control of the callback is right.')
    await explain.getByLabel('What was sent').fill(callback.replace('approved', 'declined'))
    await press(explain, 'Explain')
    expect(await saidIn(explain)).toBe('The control of the callback is wrong.')
  })

  test('signs by RSA-SHA256 as node:crypto verifies it, and names a mistake in it', async () => {
    const { sign, explain } = await open()
    await sign.getByLabel('Operation').selectOption('transferByRef')
    await makePair(sign)
    await press(sign, 'Sign')
    expect(await saidIn(sign)).toBe('Signed: by RSA-SHA256')
    const [baseString = '', request = ''] = await signedTexts(sign)
    await press(sign, 'Put it below, to change something')
    const publicKey = await explain.getByLabel('Public key').inputValue()
    const signature = decodeURIComponent(/oauth_signature="([^"]*)"/.exec(request)?.[1] ?? '')
    expect(verify('sha256', Buffer.from(baseString), publicKey, Buffer.from(signature, 'base64'))).toBe(true)
    await press(explain, 'Explain')
    expect(await saidIn(explain)).toContain('is right.')
    await explain
      .getByLabel('What was sent')
      .fill(request.replace('Host: gate.example.com', 'Host: GATE.example.com:80'))
    await press(explain, 'Explain')
    expect(await saidIn(explain)).toMatch(/is wrong: (?:wrong-host-or-scheme|default-port-kept)\.$/)
  })

  test('signs by HMAC-SHA1, and names a key that was used instead', async () => {
    const { sign, explain } = await open()
    await sign.getByLabel('Operation').selectOption('payout')
    await press(sign, 'Sign')
    expect(await saidIn(sign)).toBe('Signed: by HMAC-SHA1')
    await press(sign, 'Put it below, to change something')
    await explain.getByLabel('Control key').fill('another-key')
    await explain.getByText('More that you know').click()
    await explain.getByLabel('Other keys').fill(`first\n${KEY}`)
    await press(explain, 'Explain')
    expect(await saidIn(explain)).toBe('The signature of PAYOUT is wrong: wrong-key.')
  })

  test('asks for nothing, stores nothing, and works without a network', async () => {
    const { page, context, complaints, sign, explain } = await open()
    await context.setOffline(true)
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.url()))
    const address = page.url()
    await sign.getByLabel('Control key').fill('a key that nobody may see')
    await press(sign, 'Sign')
    await press(sign, 'Put it below, to change something')
    await press(explain, 'Explain')
    expect(await saidIn(explain)).toBe('The control of SALE is right.')
    expect([asked, complaints, page.url()]).toEqual([[], [], address])
    expect(await context.storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] })
    expect(await page.evaluate('[sessionStorage.length, history.state]')).toEqual([0, null])
  })

  test.for(['at a desk', 'on a phone'] as const)(
    '%s: accessible and as wide as its window, with all that it can say',
    async (window) => {
      const { page, sign, explain } = await open(window)
      await sign.getByLabel('Operation').selectOption('transferByRef')
      await makePair(sign)
      await press(sign, 'Sign')
      await press(explain, 'Explain')
      await explain.getByText('More that you know').click()
      expect([await violationsOf(page), await overflow(page)]).toEqual([[], 0])
    },
  )
})

/** Presses Tab until a button of this name has the focus. Throws if none gets it. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let count = 0; count < 40; count++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<string>('document.activeElement.textContent')) === name) return
  }
  throw new Error(`Tab does not come to ${name}`)
}
