// The whole shop as its customers see it, with a gateway in this process: npm test.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { cards, startGateway } from '@tallystick/testing'

const folder = mkdtempSync(join(tmpdir(), 'shop-'))
const port = await freePort()
const url = `http://127.0.0.1:${port}`
let gateway
let shop

before(async () => {
  gateway = await startGateway()
  const { baseUrl, login, controlKey, endpointId } = gateway.merchant
  const settings = {
    PORT: String(port),
    SHOP_URL: url,
    SHOP_DATABASE: join(folder, 'shop.db'),
    TALLYSTICK_BASE_URL: baseUrl,
    TALLYSTICK_LOGIN: login,
    TALLYSTICK_CONTROL_KEY: controlKey.reveal(),
    TALLYSTICK_ENDPOINT: endpointId,
  }
  const env = { ...process.env, ...settings }
  // A group of its own, so that the end of npm is the end of the server too.
  shop = spawn('npm', ['start', '--silent'], { env, stdio: 'inherit', detached: process.platform !== 'win32' })
  await eventually('the shop', async () => (await fetch(url)).ok)
})

after(async () => {
  const ended = once(shop, 'exit')
  process.kill(process.platform === 'win32' ? shop.pid : -shop.pid)
  await ended
  await gateway.close()
})

test('a customer pays once, however often the button is pressed', async () => {
  const action = await button()
  const form = await press(action)
  assert.equal(await press(action), form)
  await payAt(form, cards.approved)
  await pageSays(action, /Thank you/)
  await fetch(new URL(action, url), { method: 'POST', headers: { origin: url } })
  assert.equal((await gateway.orders()).length, 1)
})

test('a declined card is not charged, and the button pays again', async () => {
  const action = await button()
  await payAt(await press(action), cards.insufficientFunds)
  await pageSays(action, /declined/)
  await payAt(await press(action), cards.approved)
  await pageSays(action, /Thank you/)
})

/** Where the button of the first page leads: a new invoice each time. */
async function button() {
  const page = await (await fetch(url)).text()
  return /action="([^"]+)"/.exec(page)?.[1] ?? assert.fail(`there is no button on ${page}`)
}

/** The gateway's page, or one of the shop. */
async function press(action) {
  const pressed = await fetch(new URL(action, url), { method: 'POST', redirect: 'manual', headers: { origin: url } })
  return pressed.headers.get('location') ?? assert.fail(`the button answers ${pressed.status}`)
}

/** Plays the customer on the gateway's page, and returns with the browser. */
async function payAt(form, card) {
  const { to, fields } = await gateway.payOnPages(form, card)
  await fetch(to, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

/** The page of the invoice, whose payment the gateway's callback may decide a moment later. */
async function pageSays(action, wanted) {
  await eventually(`a page that says ${wanted}`, async () =>
    wanted.test(await (await fetch(new URL(action.replace(/\/pay$/, ''), url))).text()),
  )
}

async function eventually(what, isThere) {
  for (let tries = 0; tries < 300; tries++) {
    if (await isThere().catch(() => false)) return
    await setTimeout(100)
  }
  assert.fail(`${what}: it did not come`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address()
  server.close()
  return free
}
