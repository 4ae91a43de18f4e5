/** A shop on the one object of `@tallystick/payments`, mounted by `fetch`: what it shows is for `certify shop`, and no page. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { createPayments } from '@tallystick/payments'

const env = (name: string) => process.env[name] ?? ''
const shopUrl = env('SHOP_URL')
const file = `${env('SHOP_DATA')}/shop.db`

const tables = new DatabaseSync(file)
tables.exec(`create table if not exists deliveries (invoice text);
  create table if not exists taken_back (invoice text, amount text)`)
tables.close()

const keyOf = (invoice: string) => `invoice ${invoice}`
const invoiceOf = (key: string) => key.replace(/^(?:refund \S+ of )?invoice /, '')

const payments = createPayments({
  gateway: {
    baseUrl: env('TALLYSTICK_BASE_URL'),
    login: env('TALLYSTICK_LOGIN'),
    controlKey: env('TALLYSTICK_CONTROL_KEY'),
    endpointId: env('TALLYSTICK_ENDPOINT'),
    timeoutMs: Number(env('GATEWAY_TIMEOUT_MS') || 10_000),
  },
  database: file,
  shopUrl,
  onPaid: ({ payment, transaction }) =>
    void transaction.prepare('insert into deliveries values (?)').run(invoiceOf(payment.key)),
  onNotice: ({ notice, transaction }) => {
    if (notice.kind === 'refund' || notice.kind === 'chargeback') takeBack(transaction, notice)
    if (notice.kind === 'late-payment')
      transaction.prepare('insert into deliveries values (?)').run(invoiceOf(notice.key))
  },
  onResult: ({ result, transaction }) => {
    if (result.key.startsWith('refund') && result.status === 'approved') takeBack(transaction, result)
  },
  onEvent: (event) => console.error(event),
  returnTo: ({ key }) => `/invoices/${encodeURIComponent(invoiceOf(key))}`,
})

function takeBack(
  transaction: DatabaseSync,
  { key, amount = '0' }: { readonly key: string; readonly amount?: string | undefined },
) {
  transaction.prepare('insert into taken_back values (?, ?)').run(invoiceOf(key), amount)
}

const database = new DatabaseSync(file, { timeout: 5000 })
const rowsOf = (table: 'deliveries' | 'taken_back', invoice: string) =>
  database.prepare(`select * from ${table} where invoice = ?`).all(invoice)

async function shown(invoice: string) {
  const payment = await payments.find(keyOf(invoice))
  const takenBack = rowsOf('taken_back', invoice).reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)
  const isGone = takenBack > 0 && takenBack >= Number(payment?.intent?.amounts[0] ?? 0)
  const state = isGone ? 'taken back' : (payment?.show ?? 'open')
  return { invoice, state, takenBack: (takenBack / 100).toFixed(2), delivered: rowsOf('deliveries', invoice).length }
}

async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/payments/')) return await payments.fetch(request)
  const [, , invoice = '', action] = pathname.split('/').map(decodeURIComponent)
  if (request.method !== 'POST') return Response.json(await shown(invoice))
  const form = new URLSearchParams(await request.text())
  const of = (name: string) => form.get(name) ?? ''
  if (action === 'refund') {
    const refund = { payment: keyOf(invoice), amount: of('amount'), comment: 'Refund' }
    const number = rowsOf('taken_back', invoice).length + 1
    const { outcome } = await payments.refund(`refund ${number}/${of('amount')} of ${keyOf(invoice)}`, refund)
    return Response.json({ outcome })
  }
  const where = { address1: 'Main st 1', city: 'Berlin', zipCode: '10115', country: 'DE', phone: '+49301234567' }
  const [firstName = '', ...others] = of('name').split(' ')
  const customer = {
    ...where,
    firstName,
    lastName: others.join(' ') || firstName,
    email: 'a@example.com',
    ip: '127.0.0.1',
  }
  const order = {
    amount: of('amount'),
    currency: of('currency'),
    description: `${of('description')}, invoice ${invoice}`,
    customer,
  }
  const payment = await payments.pay(keyOf(invoice), order)
  if (payment.show === 'redirect') return new Response(null, { status: 303, headers: { location: payment.location } })
  return Response.json({ show: payment.show })
}

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = incoming
  const body = method === 'POST' ? { body: new Uint8Array(await buffer(incoming)) } : {}
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const reply = await handle(new Request(new URL(url, shopUrl), { method, headers: sent, ...body })).catch(
    (error: unknown) => {
      console.error(error)
      return Response.json({ error: String(error) }, { status: error instanceof TypeError ? 409 : 500 })
    },
  )
  response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text())
}

createServer((incoming, response) => void answer(incoming, response)).listen(Number(env('PORT')), '127.0.0.1')
