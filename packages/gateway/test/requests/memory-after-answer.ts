import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { queryObjects, setFlagsFromString, writeHeapSnapshot } from 'node:v8'
import { Cvv } from '@tallystick/core'
import {
  createGateway,
  createRecording,
  type Decision,
  newVaultKeys,
  readVaultKeys,
  simulator,
} from '../../src/index.ts'
import { pooledRandomness } from '../../src/runtime/system.ts'
import { sqliteStore } from '../../src/sqlite.ts'
import { FORMULAS } from '../support/formulas.ts'
import {
  BASE_URL,
  CARD,
  controlled,
  type Fields,
  fieldsOf,
  form,
  merchants,
  oauthSigned,
  PAYER,
  SALE,
  SHOP,
  status,
} from '../support/signed-requests.ts'

/**
 * A process of its own, whose heap is small: it answers four requests whose acquirer does not decide yet, and writes what is then still
 * in memory of what they said. With the argument `recorded` it also records them.
 */

// By default a snapshot has the first 1,024 characters of a text.
setFlagsFromString('--heap-snapshot-string-limit=1000000')

/** Texts that are nowhere else, by field. They are kept as bytes, which are outside the heap of JavaScript. */
const canaries: Array<readonly [request: string, field: string, text: Buffer]> = []

/** Letters that V8 keeps as a reference into the form that they came in, and not as a copy. */
function letters(): Buffer {
  return Buffer.from(Array.from({ length: 24 }, () => 97 + randomInt(26)))
}

/** With the check digit of ISO/IEC 7812-1 annex B. */
function cardNumber(): Buffer {
  const digits = [4, ...Array.from({ length: 14 }, () => randomInt(10))]
  const sum = digits.reduce((sum, digit, at) => {
    const weighted = digit * (at % 2 === 0 ? 2 : 1)
    return sum + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return Buffer.from([...digits, (10 - (sum % 10)) % 10].join(''))
}

/** Fields of a request with texts that nothing else has. */
function unique(request: string, ...fields: readonly string[]): Fields {
  return Object.fromEntries(
    fields.map((field) => {
      const text = field === 'credit_card_number' ? cardNumber() : letters()
      canaries.push([request, field, text])
      return [field, text.toString('latin1')]
    }),
  )
}

/** What of them something in this process still refers to. Garbage is collected first. */
async function held(folder: string): Promise<readonly string[]> {
  // V8 refers to the last text that a regular expression was tried on, and until this turn ends to what a WeakRef was made of.
  ;/a/.exec('a')
  await new Promise((resolve) => setImmediate(resolve))
  const snapshot = readFileSync(writeHeapSnapshot(join(folder, 'all.heapsnapshot')))
  return canaries.filter(([, , text]) => snapshot.includes(text)).map(([request, field]) => `${field} of ${request}`)
}

const folder = mkdtempSync(join(tmpdir(), 'tallystick-'))
const decision = Promise.withResolvers<Decision>()
const asked: string[] = []
const callbacks: string[] = []
const bank = simulator()
const gateway = createGateway({
  publicUrl: BASE_URL,
  merchants: merchants(),
  store: sqliteStore({ file: join(folder, 'gateway.db'), cachedOrders: 0 }),
  vaultKeys: readVaultKeys(newVaultKeys(pooledRandomness(), 'first').reveal()),
  recorder: process.argv[2] === 'recorded' && createRecording(),
  sendCallback: async (url) => {
    callbacks.push(url)
    return { status: 200 }
  },
  acquirer: {
    ...bank,
    execute: (request) => {
      asked.push(request.clientOrderId)
      return request.clientOrderId === 'uploaded' ? bank.execute(request) : decision.promise
    },
    authenticate: (request) => {
      asked.push(request.clientOrderId)
      return decision.promise
    },
  },
})

async function acknowledged(request: Parameters<typeof gateway.handle>[0]): Promise<Fields> {
  const reply = await gateway.handle(request)
  if (reply.status !== 200) throw new Error(reply.body)
  return fieldsOf(reply)
}

/** Each in a function of its own: the frame of this module would hold what it sends. */
async function sell(): Promise<void> {
  const said = unique('a sale', 'client_orderid', 'credit_card_number', 'card_printed_name', 'first_name', 'address1')
  const more = unique('a sale', 'city', 'merchant_data', 'a_field_of_no_model')
  const callback = { server_callback_url: 'https://shop.example.com/callback' }
  await acknowledged(controlled('/api/v2/sale', FORMULAS.paid, { ...SALE, ...callback, ...said, ...more }))
}

async function payOut(): Promise<void> {
  const said = unique('a payout', 'account_number', 'bank_name', 'receiver_last_name')
  const fields = { client_orderid: 'paid-out', amount: '34.00', currency: 'EUR', ...said }
  const timestamp = Math.floor(gateway.clock.now() / 1000)
  await acknowledged(
    oauthSigned('/api/v2/payout/1111', fields, { method: 'HMAC-SHA1', key: SHOP.controlKey, timestamp }),
  )
}

async function fillForm(): Promise<void> {
  const registered = { ...PAYER, amount: '10.42', currency: 'EUR', client_orderid: 'typed' }
  const said = {
    redirect_url: 'https://shop.example.com/return',
    ...unique('the request for a form', 'last_name', 'address1'),
  }
  const opened = await acknowledged(controlled('/api/v2/sale-form', FORMULAS.paid, { ...registered, ...said }))
  const { pathname: url } = new URL(opened['redirect-url'] ?? '')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const typed = unique('a form', 'credit_card_number', 'card_printed_name')
  const reply = await gateway.handle({
    method: 'POST',
    url,
    headers,
    body: form({ ...CARD, expiry: '12/31', ...typed }),
  })
  if (reply.status !== 303) throw new Error(`The form was answered ${reply.status}`)
}

async function upload(): Promise<void> {
  const browser = { credit_card_number: '4444444400000010', cvv2: '321', customer_browser_info: 'true' }
  const more = { redirect_url: 'https://shop.example.com/return', ...BROWSER, ...browser, client_orderid: 'uploaded' }
  const { 'paynet-order-id': orderid = '' } = await acknowledged(
    controlled('/api/v2/sale', FORMULAS.paid, { ...SALE, ...more }),
  )
  const asks = async () => (await acknowledged(status({ client_orderid: 'uploaded' })))['tds-status'] === 'CReqForm'
  while (!(await asks())) await new Promise((resolve) => setImmediate(resolve))
  const result = {
    'client-order-id': 'uploaded',
    orderid,
    ...unique('an upload', 'cRes', 'customer_browser_user_agent'),
  }
  const path = '/api/3ds/v1/upload-cres-result'
  await acknowledged(controlled(path, FORMULAS.uploaded, { login: SHOP.login, ...result }))
}

const BROWSER = {
  customer_browser_accept_header: 'text/html',
  customer_browser_user_agent: 'Mozilla/5.0',
  customer_browser_javascript_enabled: 'true',
  customer_browser_java_enabled: 'false',
  customer_browser_accept_language: 'en-GB',
  customer_browser_color_depth: '24',
  customer_browser_screen_width: '1280',
  customer_browser_screen_height: '800',
  customer_browser_time_zone: '-120',
}

await sell()
await payOut()
await fillForm()
await upload()
const waiting = asked.length
const inMemory = await held(folder)
const cvvs = queryObjects(Cvv, { format: 'count' })
decision.resolve({ status: 'approved', approvalCode: '123456', processorTxId: 'tx-1' })
await gateway.settled()
const [, , name] = canaries.find(([request, field]) => request === 'a sale' && field === 'card_printed_name') ?? []
const isCalledBack = callbacks.length === 1 && callbacks[0]?.includes(String(name)) === true
await gateway.close()
rmSync(folder, { recursive: true })
process.stdout.write(JSON.stringify({ waiting, inMemory, cvvs, isCalledBack }))
