/**
 * A shop that takes card payments by requests written by hand: on the gateway's page, or with a card form of its own. It is right,
 * unless the environment has MISTAKE: `../mistakes.ts` says which there are.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

type Fields = Readonly<Record<string, string>>
interface Payment {
  readonly client_id: string
  readonly invoice: string
  readonly cents: number
  readonly currency: string
  /** `sending` until the gateway's reply was read, `review` if a person has to look at it. */
  readonly state: 'sending' | 'pending' | 'paid' | 'declined' | 'review'
  readonly order_id: string | null
  readonly form: string | null
  readonly kept: number
  readonly charged_back: number
  readonly sent_at: number
  readonly not_found: number
}
interface Refund {
  readonly id: number
  readonly cents: number
  readonly serial: string | null
}

const env = (name: string) => process.env[name] ?? ''
const mistake = env('MISTAKE')
const [login, key, endpoint] = [env('TALLYSTICK_LOGIN'), env('TALLYSTICK_CONTROL_KEY'), env('TALLYSTICK_ENDPOINT')]
const [port, shopUrl] = [Number(env('PORT')), env('SHOP_URL')]
const timeout = Number(env('GATEWAY_TIMEOUT_MS') || 10_000)
let offset = 0
const now = () => Date.now() + offset

const db = new DatabaseSync(`${env('SHOP_DATA')}/shop.db`, { timeout: 5000 })
db.exec(`
  pragma journal_mode = wal;
  create table if not exists payments (client_id text primary key, invoice text, cents integer, currency text, state text,
    order_id text, form text, kept integer default 0, charged_back integer default 0, sent_at integer, not_found integer default 0,
    ask_at integer);
  create unique index if not exists one_at_a_time on payments (invoice) where state in ('sending', 'pending', 'paid', 'review');
  create table if not exists refunds (id integer primary key, client_id text, cents integer, serial text, state text);
  create unique index if not exists one_refund_at_a_time on refunds (client_id) where state in ('sending', 'review');
  create table if not exists deliveries (invoice text);
  update payments set state = 'pending', ask_at = 0 where state = 'sending'`)
const one = (sql: string, ...values: (string | number | null)[]) => db.prepare(sql).get(...values)
const run = (sql: string, ...values: (string | number | null)[]) => db.prepare(sql).run(...values).changes
const payment = (id: string) => one('select * from payments where client_id = ?', id) as Payment | undefined
const lastOf = (invoice: string) =>
  one('select * from payments where invoice = ? order by rowid desc', invoice) as Payment | undefined

/** Minor units of an amount such as 10.5, by its digits; NaN if it is none. The interface counts two decimals in any currency. */
function cents(amount = ''): number {
  const [, whole, part = ''] = /^(\d{1,10})(?:\.(\d{1,2})0*)?$/.exec(amount) ?? []
  return whole === undefined ? Number.NaN : Number(whole + part.padEnd(2, '0'))
}
const major = (minor: number) => `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`
const sha1 = (...parts: (string | number)[]) => createHash('sha1').update(parts.join('')).digest('hex')
const inside = (value: string, most: number) => Array.from(value).slice(0, most).join('')

/** The reply's fields, or `undefined` if nobody can know what became of the request. */
async function ask(operation: string, fields: Fields): Promise<Fields | undefined> {
  const send = async (): Promise<Fields | undefined> => {
    const reply = await fetch(`${env('TALLYSTICK_BASE_URL')}/api/v2/${operation}/${endpoint}`, {
      method: 'POST',
      headers: { accept: 'application/vnd.pay+json' },
      body: new URLSearchParams(fields),
      redirect: mistake === 'redirect-followed' ? 'follow' : 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    const body = await reply.text()
    const read = body.startsWith('{') ? readJson(body) : readClassic(body)
    return read['type'] === undefined ? undefined : read
  }
  try {
    return await send()
  } catch {
    if (mistake === 'retry-on-timeout' && operation !== 'status') return await send().catch(() => undefined)
    return undefined
  }
}

/** Ids may come as numbers of more digits than a number of JavaScript holds. */
function readJson(body: string): Fields {
  const exact = mistake === 'order-id-number' ? body : body.replace(/:\s*(-?\d+(?:\.\d+)?)(?=\s*[,}])/g, ':"$1"')
  const read: Record<string, unknown> = JSON.parse(exact)
  const texts = Object.entries(read).map(([name, value]) => [name, String(value)])
  return Object.fromEntries(texts)
}

function readClassic(body: string): Fields {
  const pairs = [...new URLSearchParams(body)].map(([name, value]) => [name, value.trim()])
  return Object.fromEntries(pairs)
}

/** Sends a payment once, or gives the one that is under way. Gives where the customer goes. */
async function pay(invoice: string, form: Fields): Promise<string> {
  const last = lastOf(invoice)
  if (last !== undefined && last.state !== 'declined') return await goOn(last)
  const amount = cents(form['amount'])
  if (!(amount > 0)) throw new RangeError('the amount must be a number such as 10.42')
  const attempt = Number(one('select count(*) as n from payments where invoice = ?', invoice)?.['n']) + 1
  const id = `inv-${inside(invoice, 100)}-a${attempt}x`
  const currency = form['currency'] ?? 'EUR'
  const made = run(
    `insert or ignore into payments (client_id, invoice, cents, currency, state, sent_at, ask_at) values (?, ?, ?, ?, 'sending', ?, null)`,
    id,
    invoice,
    amount,
    currency,
    now(),
  )
  if (made === 0) return await goOn(lastOf(invoice))
  const { card_number: card } = form
  const email = 'customer@example.com'
  const [firstName = '', ...others] = (form['name'] ?? 'Jo Smith').split(' ')
  const reply = await ask(card === undefined ? 'sale-form' : 'sale', {
    client_orderid: id,
    order_desc: form['description'] ?? `Invoice ${invoice}`,
    first_name: inside(firstName, 50),
    last_name: inside(others.join(' ') || firstName, 50),
    address1: 'Main st 1',
    city: 'Berlin',
    zip_code: '10115',
    country: 'DE',
    phone: '+49301234567',
    email,
    amount: major(amount),
    currency,
    ipaddress: '127.0.0.1',
    redirect_url: `${shopUrl}/payments/return`,
    notify_url: `${shopUrl}/payments/callback`,
    ...(card === undefined ? {} : cardOf(form)),
    control: sha1(endpoint, id, amount, email, key),
  })
  const state = reply?.['type'] === 'validation-error' ? 'declined' : 'pending'
  run(
    `update payments set state = ?, order_id = ?, form = ?, ask_at = ? where client_id = ? and state = 'sending'`,
    state,
    reply?.['paynet-order-id'] ?? null,
    reply?.['redirect-url'] ?? null,
    now(),
    id,
  )
  return await goOn(payment(id))
}

const cardOf = ({ card_number = '', expire_month = '', expire_year = '', cvv = '', holder = '' }: Fields) => ({
  credit_card_number: card_number,
  expire_month,
  expire_year,
  cvv2: cvv,
  card_printed_name: holder,
})

/** Waits a while for the reply to whoever pressed first, and for what the gateway wants of the customer. */
async function goOn(paid: Payment | undefined): Promise<string> {
  if (paid === undefined) return '/'
  const shown = `/invoices/${encodeURIComponent(paid.invoice)}`
  for (let tries = 0; tries < 50; tries++) {
    const { state, form } = payment(paid.client_id) ?? paid
    if (state === 'pending' && form !== null) return form
    if (state !== 'sending' && (state !== 'pending' || tries > 25)) return shown
    await pause(100)
  }
  return shown
}

/** Asks what became of a payment. Only this changes anything: callbacks and browsers are hints. */
async function confirm(id: string): Promise<void> {
  const paid = payment(id)
  if (paid === undefined) return
  const orderId = paid.order_id ?? ''
  const refund = one(`select * from refunds where client_id = ? and state = 'sending'`, id) as Refund | undefined
  const status = await ask('status', {
    login,
    client_orderid: id,
    orderid: orderId,
    ...(refund?.serial && { 'by-request-sn': refund.serial }),
    control: sha1(login, id, orderId, key),
  })
  askAgain(paid, status)
  if (status?.['type'] !== 'status-response' || status['merchant-order-id'] !== id) return
  if (paid.order_id === null)
    run('update payments set order_id = ? where client_id = ?', status['paynet-order-id'] ?? null, id)
  else if (paid.order_id !== status['paynet-order-id']) return
  const [type, became] = [status['transaction-type'] ?? 'sale', status['status'] ?? 'processing']
  if (status['redirect-to'] !== undefined)
    run('update payments set form = ? where client_id = ?', status['redirect-to'], id)
  const isMoney =
    cents(status['initial-amount'] ?? status['amount']) === paid.cents &&
    (mistake === 'currency-ignored' || status['currency'] === paid.currency)
  if (!isMoney) return void run(`update payments set state = 'review' where client_id = ? and state = 'pending'`, id)
  if (type !== 'sale') return later(paid, status, refund)
  if (became === 'approved' || (became === 'unknown' && mistake === 'unknown-is-approved')) return await approve(paid)
  const isOver =
    ['declined', 'filtered', 'error'].includes(became) || (became === 'unknown' && mistake === 'unknown-is-declined')
  if (isOver)
    run(
      `update payments set state = 'declined', ask_at = null where client_id = ? and state in ('sending', 'pending')`,
      id,
    )
}

async function approve({ client_id: id, invoice, cents: amount, state }: Payment): Promise<void> {
  if (state === 'paid') return
  const deliver = () => void run('insert into deliveries values (?)', invoice)
  if (mistake === 'effect-before-commit') {
    deliver()
    await pause(1000) // the label is printed
  }
  db.exec('begin immediate')
  const other = one(`select 1 from payments where invoice = ? and client_id <> ? and state <> 'declined'`, invoice, id)
  const became = other === undefined ? 'paid' : 'review'
  const first = run(
    `update payments set state = ?, kept = ?, ask_at = null where client_id = ? and state <> 'paid'`,
    became,
    amount,
    id,
  )
  if (first === 1 && became === 'paid' && mistake !== 'effect-before-commit') deliver()
  db.exec('commit')
}

/** A refund, here or elsewhere, or a chargeback: what is kept is what the gateway says. */
function later(paid: Payment, status: Fields, refund: Refund | undefined): void {
  const [type, became, kept] = [status['transaction-type'] ?? '', status['status'] ?? '', cents(status['amount'])]
  const isChargeback = type === 'chargeback'
  if (isChargeback && mistake === 'chargeback-ignored') return
  db.exec('begin immediate')
  if (became === 'approved' && kept < paid.cents) {
    run(
      `update payments set state = 'paid', kept = ?, charged_back = max(charged_back, ?) where client_id = ?`,
      kept,
      Number(isChargeback),
      paid.client_id,
    )
  }
  const isDone = refund?.serial ? became === 'approved' : kept === paid.kept - (refund?.cents ?? 0)
  const isRefused = refund?.serial && ['declined', 'filtered', 'error'].includes(became)
  if (refund !== undefined && (isDone || isRefused)) {
    run('update refunds set state = ? where id = ?', isDone ? 'done' : 'declined', refund.id)
    run('update payments set ask_at = ? where client_id = ?', refund.serial ? now() : null, paid.client_id)
  }
  db.exec('commit')
}

/** Every 3 s for five minutes, every five minutes for an hour, then hourly for 30 days. It never arrived after 20 minutes and three answers. */
function askAgain(paid: Payment, status: Fields | undefined): void {
  const { client_id: id } = paid
  const age = now() - paid.sent_at
  const isWaiting = paid.state === 'sending' || paid.state === 'pending'
  const isRefunding = one(`select 1 from refunds where client_id = ? and state = 'sending'`, id) !== undefined
  const wait = age < 300_000 ? 3000 : age < 3_600_000 ? 300_000 : 3_600_000
  const isDue = (isWaiting || isRefunding) && age < 30 * 86_400_000
  run('update payments set ask_at = ? where client_id = ?', isDue ? now() + wait : null, id)
  const isNone = status !== undefined && status['type'] !== 'status-response' && paid.order_id === null
  if (!isNone) return
  run('update payments set not_found = not_found + 1 where client_id = ?', id)
  if (age > 1_200_000 && paid.not_found >= 3)
    run(`update payments set state = 'declined', ask_at = null where client_id = ? and state = 'pending'`, id)
}

/** Sends a refund once; what becomes of it is asked. */
async function refund(invoice: string, asked: string | undefined): Promise<string> {
  const paid = lastOf(invoice)
  if (paid?.state !== 'paid' || paid.order_id === null) return 'not paid'
  const amount = asked ? cents(asked) : paid.kept
  if (!(amount > 0 && amount <= paid.kept)) return 'more than was paid'
  const { client_id: id, order_id: orderId, currency } = paid
  const made = run(`insert or ignore into refunds (client_id, cents, state) values (?, ?, 'sending')`, id, amount)
  if (made === 0) return 'a refund is under way'
  const reply = await ask('return', {
    login,
    client_orderid: id,
    orderid: orderId,
    amount: major(amount),
    currency,
    comment: 'Refund',
    control: sha1(login, id, orderId, amount, currency, key),
  })
  const state = reply?.['type'] === 'validation-error' ? 'declined' : 'sending'
  run(
    `update refunds set state = ?, serial = ? where client_id = ? and state = 'sending'`,
    state,
    reply?.['type'] === 'async-response' ? (reply['serial-number'] ?? null) : null,
    id,
  )
  run('update payments set ask_at = ?1, sent_at = ?1 where client_id = ?2', now(), id)
  return state === 'declined' ? 'refused' : 'under way'
}

const unstored: string[] = []
const counted = new Set<string>()

/** Stored before it is answered. */
function callback(fields: Fields): number {
  const { status = '', orderid: orderId = '', control = '' } = fields
  const id = fields['client_orderid'] ?? fields['merchant_order'] ?? ''
  const right = sha1(status, orderId, id, key)
  if (control.length !== right.length || !timingSafeEqual(Buffer.from(control), Buffer.from(right))) return 403
  const paid = payment(id)
  if (paid === undefined || (paid.order_id !== null && paid.order_id !== orderId)) return 200
  if (mistake === 'first-callback-only' && counted.has(id)) return 200
  counted.add(id)
  if (mistake === 'answered-before-stored') unstored.push(id)
  else run('update payments set ask_at = min(coalesce(ask_at, ?1), ?1) where client_id = ?2', now(), id)
  return 200
}

function shown(invoice: string) {
  const paid = lastOf(invoice)
  const delivered = one('select count(*) as n from deliveries where invoice = ?', invoice)?.['n']
  const takenBack = paid?.state === 'paid' ? paid.cents - paid.kept : 0
  return { invoice, state: stateOf(paid), takenBack: major(takenBack), delivered }
}

function stateOf(paid: Payment | undefined): string {
  if (paid === undefined) return 'open'
  if (paid.state !== 'paid') return paid.state === 'declined' ? 'declined' : 'pending'
  if (paid.charged_back === 1) return 'charged back'
  return paid.kept === 0 ? 'refunded' : 'paid'
}

const asking = new Set<string>()
async function askWhatIsDue(): Promise<void> {
  if (mistake === 'answered-before-stored') return
  const due = db.prepare('select client_id from payments where ask_at <= ?').all(now())
  const ids = due.map(({ client_id }) => String(client_id)).filter((id) => !asking.has(id))
  for (const id of ids) asking.add(id)
  await Promise.all(
    ids.map((id) =>
      confirm(id)
        .catch(console.error)
        .finally(() => asking.delete(id)),
    ),
  )
}

async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  const query = new URL(request.url ?? '/', shopUrl).searchParams
  return Object.fromEntries([...query, ...new URLSearchParams(await text(request))])
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const [, first = '', second = '', third] = new URL(request.url ?? '/', shopUrl).pathname
    .split('/')
    .map(decodeURIComponent)
  const seeOther = (location: string) => response.writeHead(303, { location }).end()
  const json = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  try {
    const fields = await fieldsOf(request)
    if (first === 'payments' && second === 'callback') return response.writeHead(callback(fields)).end('OK')
    if (first === 'payments' && second === 'return') {
      const paid = payment(fields['client_orderid'] ?? '')
      if (paid !== undefined)
        run('update payments set ask_at = min(coalesce(ask_at, ?1), ?1) where client_id = ?2', now(), paid.client_id)
      return seeOther(paid === undefined ? '/' : `/invoices/${encodeURIComponent(paid.invoice)}`)
    }
    if (first === 'clock') {
      offset += Number(fields['advance']) * 1000
      await askWhatIsDue()
      return json(200, { now: now() })
    }
    if (first === 'invoices' && third === 'pay') return seeOther(await pay(second, fields))
    if (first === 'invoices' && third === 'refund') return json(200, { refund: await refund(second, fields['amount']) })
    if (first === 'invoices') return json(200, shown(second))
    return json(first === '' ? 200 : 404, {})
  } catch (error) {
    console.error(error)
    return json(error instanceof RangeError ? 400 : 500, {})
  }
}

createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1')

async function askForUnstored(): Promise<void> {
  for (const id of unstored.splice(0)) await confirm(id)
}
setInterval(() => void askForUnstored(), 1000)
setInterval(() => void askWhatIsDue(), 200)
