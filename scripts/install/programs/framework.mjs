import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { cards, signedCallback, startGateway } from '@tallystick/testing'

const { scripts, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const gateway = await startGateway()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const { baseUrl, login, controlKey, endpointId } = gateway.merchant
const env = {
  ...process.env,
  PATH: [resolve('node_modules/.bin'), process.env.PATH].join(delimiter),
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
}
/** Only of the server: a build that needed them would work on the shop's database. */
const settings = {
  HOST: '127.0.0.1',
  PORT: String(port),
  SHOP_URL: url,
  SHOP_DATABASE: 'shop.db',
  TALLYSTICK_BASE_URL: baseUrl,
  TALLYSTICK_LOGIN: login,
  TALLYSTICK_CONTROL_KEY: controlKey.reveal(),
  TALLYSTICK_ENDPOINT: endpointId,
}

let printed = ''
await build()
await refuseWrongKey()
const shop = start(settings)
// From the start on: a shop that ends by itself is waited for as well.
const ended = once(shop, 'close')
try {
  await pay()
} catch (error) {
  throw new Error(`${error.message}\n${printed}`, { cause: error })
} finally {
  shop.kill('SIGTERM')
  await ended
  await gateway.close()
}
// Next ends with 143 by itself.
if (![0, 143].includes(shop.exitCode ?? 143)) throw new Error(`the shop ended with ${shop.exitCode}\n${printed}`)

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

async function build() {
  if (scripts.build === undefined) return
  const built = spawn(scripts.build, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
  collect(built)
  const [code] = await once(built, 'close')
  if (code !== 0) throw new Error(`${scripts.build} failed\n${printed}`)
}

function start(settings) {
  // `exec`, so that the signal reaches the server and not a shell around it.
  const started = spawn(`exec ${scripts.start}`, {
    shell: true,
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  collect(started)
  return started
}

/** The shop says why it does not open, and ends. Next stays, and has no page. */
async function refuseWrongKey() {
  const refused = start({ ...settings, TALLYSTICK_CONTROL_KEY: '00000000-0000-0000-0000-000000000000' })
  const ended = once(refused, 'close')
  await eventually('the message of a wrong key', async () => /wrong key/i.test(printed))
  if (dependencies.next) {
    await eventually('no page of Next', async () => (await fetch(url)).status === 500)
    refused.kill('SIGTERM')
  }
  const [code] = await ended
  if (code === 0) throw new Error(`with a wrong key it ended with 0\n${printed}`)
}

function collect({ stdout, stderr }) {
  for (const stream of [stdout, stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
}

/** Until it holds, for half a minute. */
async function eventually(what, look) {
  for (let tried = 0; tried < 300; tried++) {
    const seen = await look().catch(() => undefined)
    if (seen) return seen
    await setTimeout(100)
  }
  throw new Error(`${what}: it did not come`)
}

async function pay() {
  const front = await eventually('the first page', async () => {
    const response = await fetch(url)
    return response.ok && (await response.text())
  })
  const [, action] = /action="([^"]+)"/.exec(front) ?? []
  if (action === undefined) throw new Error(`there is no button on ${front}`)
  const pressed = await post(action, '', url)
  expect(
    'the button',
    [pressed.status, pressed.headers.get('location')?.startsWith(new URL(baseUrl).origin)],
    [303, true],
  )

  const { to, fields } = await gateway.payOnPages(pressed.headers.get('location'), cards.threeDsChallenge)
  await gateway.settled()
  const [order] = await gateway.orders()
  const { orderId, clientOrderId } = order
  const callback = signedCallback({ status: 'approved', orderId, clientOrderId, type: 'sale' }, controlKey)
  const forged = signedCallback({ status: 'approved', orderId, clientOrderId, type: 'sale' }, 'another key')
  expect('a callback by GET', (await fetch(`${url}/payments/callback?${callback}`)).status, 200)
  expect('a callback by POST, without an origin', (await post('/payments/callback', callback)).status, 200)
  expect('a forged callback', (await post('/payments/callback', forged)).status, 403)

  const invoice = action.replace(/\/pay$/, '')
  const back = await post(new URL(to).pathname, `${new URLSearchParams(fields)}`, 'null')
  expect('the returning browser', [back.status, back.headers.get('location')], [303, invoice])
  const paid = await eventually('the outcome', async () => {
    const database = new DatabaseSync('shop.db', { readOnly: true })
    const rows = database.prepare('select invoice, amount from paid').all()
    database.close()
    return rows.length > 0 && rows.map((row) => Object.values(row))
  })
  expect('what is booked', paid, [[`invoice ${invoice.split('/')[2]}`, '10.42']])
  const page = await (await fetch(new URL(invoice, url), { headers: { 'accept-language': 'de-AT,en;q=0.5' } })).text()
  expect('the last page', [page.includes('Ihre Zahlung ist eingegangen.'), page.includes('<form')], [true, false])
  const again = await post(action, '', url)
  expect('the button again', [again.status, await again.text()], [200, 'Thank you. Your payment has been received.'])
  expect('orders', (await gateway.orders()).length, 1)
  // By csrf() and by a hook; the others show nothing of the kind.
  if (dependencies.hono ?? dependencies['@sveltejs/kit'])
    expect('a form of another site', (await post(action, '', 'https://evil.example')).status, 403)
}

async function post(path, body, origin) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...(origin && { origin }) }
  return await fetch(new URL(path, url), { method: 'POST', body, headers, redirect: 'manual' })
}

function expect(what, seen, wanted) {
  if (JSON.stringify(seen) !== JSON.stringify(wanted))
    throw new Error(`${what}: ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`)
}
