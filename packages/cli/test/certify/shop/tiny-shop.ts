import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parseForm } from '@tallystick/core'
import { signControl } from '@tallystick/signing'

/** What a shop gets wrong. */
export type Mistake =
  | 'acknowledges-first'
  | 'breaks-texts'
  | 'compares-times'
  | 'delivers-before-it-stores'
  | 'eight-digits'
  | 'finds-by-merchant-order'
  | 'first-callback-only'
  | 'forgets-approvals'
  | 'forgets-cancels'
  | 'forgets-on-restart'
  | 'forgets-refunds'
  | 'ignores-callbacks'
  | 'keeps-leading-zeros'
  | 'logs-cards'
  | 'paid-when-sent'
  | 'processing-is-failed'
  | 'random-ids'
  | 'registers-after-reply'
  | 'return-decides'
  | 'takes-all-for-paid'
  | 'untrimmed'
  | 'wants-its-content-type'
  | 'yen-without-decimals'
  | 'accepts-amounts'
  | 'accepts-currencies'
  | 'accepts-forged'
  | 'accepts-without-control'
  | 'amount-by-float'
  | 'callback-alone'
  | 'delivers-per-callback'
  | 'delivers-unknown-status'
  | 'expects-client-order-id-alone'
  | 'fails-on-duplicates'
  | 'fails-on-extra-fields'
  | 'forgets-declines'
  | 'forgets-the-session'
  | 'follows-redirects'
  | 'float-order-ids'
  | 'guesses-the-status'
  | 'ignores-taken-back'
  | 'knows-three-statuses'
  | 'new-form-each-time'
  | 'no-post'
  | 'no-second-try'
  | 'one-current-order'
  | 'polls-for-ever'
  | 'refunds-again'
  | 'refunds-unasked'
  | 'counts-refunds-at-once'
  | 'reads-no-classic'
  | 'sends-again'
  | 'trusts-the-browser'
  | 'unknown-is-declined'
  | 'unknown-is-paid'
  | 'later-callback-wins'

export interface TinyShopOptions {
  readonly port: number
  readonly gateway: {
    readonly baseUrl: string
    readonly login: string
    readonly controlKey: string
    readonly endpointId: string
  }
  readonly mistakes?: readonly Mistake[]
  /** Takes cards itself. */
  readonly isDirect?: boolean
  readonly isClassic?: boolean
  /** Holds the amount until it is captured. */
  readonly isHolding?: boolean
  readonly timeoutMs?: number
  /** What outlives its process. */
  readonly stored?: Stored
}

export interface Stored {
  readonly orders: Map<string, Order>
  readonly log: string[]
}

export function nothingStored(): Stored {
  return { orders: new Map(), log: [] }
}

export interface Order {
  readonly id: string
  amount: string
  currency: string
  state: 'pending' | 'paid' | 'notPaid'
  attempt: number
  clientOrderId: string
  orderId: string
  form: string | undefined
  /** Nobody knows whether the gateway has it. */
  isUnknown: boolean
  opening: Promise<string | undefined> | undefined
  deliveries: number
  takenBack: number
  isWatched: boolean
  callbacks: Set<string>
}

type Fields = ReadonlyMap<string, string>

/** A shop of one file, which is right in everything but its mistakes. It keeps its orders in memory. */
export async function startTinyShop({
  port,
  gateway,
  mistakes = [],
  isDirect = false,
  isClassic = false,
  isHolding = false,
  timeoutMs = 2000,
  stored = nothingStored(),
}: TinyShopOptions) {
  const has = (mistake: Mistake) => mistakes.includes(mistake)
  if (has('forgets-on-restart')) stored.orders.clear()
  const { orders } = stored
  const byClientId = new Map([...orders.values()].map((order) => [order.clientOrderId, order]))
  let current: Order | undefined
  let isOpen = true
  const origin = `http://127.0.0.1:${port}`
  const sign = (...terms: string[]) => signControl({ terms, key: gateway.controlKey })
  const minor = (amount: string, currency = '') => {
    if (has('yen-without-decimals') && currency === 'JPY') return amount
    if (has('keeps-leading-zeros')) return amount.replace('.', '')
    if (has('amount-by-float')) return String(Math.floor(Number(amount) * 100))
    const [units = '', decimals = ''] = amount.split('.')
    return `${units}${decimals.padEnd(2, '0')}`.replace(/^0+(?=\d)/, '')
  }

  /** The fields of a reply. `undefined`: nobody knows what became of the request. */
  async function ask(path: string, fields: Record<string, string>): Promise<Fields | undefined> {
    try {
      const reply = await fetch(`${gateway.baseUrl}/api/v2/${path}/${gateway.endpointId}`, {
        method: 'POST',
        headers: isClassic ? {} : { accept: 'application/vnd.pay+json' },
        body: new URLSearchParams(fields),
        redirect: has('follows-redirects') ? 'follow' : 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await reply.text()
      if (has('wants-its-content-type') && !/vnd/.test(reply.headers.get('content-type') ?? '')) return undefined
      if (has('wants-its-content-type') && reply.headers.has('content-encoding')) return undefined
      const read = readReply(text)
      return read?.has('type') ? read : undefined
    } catch {
      return undefined
    }
  }

  function readReply(text: string): Fields | undefined {
    try {
      if (text.startsWith('{')) {
        const exact = has('float-order-ids') ? text : text.replaceAll(/:(\d{16,})/g, ':"$1"')
        const entries = Object.entries(JSON.parse(exact) as Record<string, unknown>)
        if (has('fails-on-extra-fields') && entries.some(([name]) => name.startsWith('x-'))) return undefined
        return new Map(entries.map(([name, value]) => [name, String(value).trim()]))
      }
      if (!text.startsWith('type=') || has('reads-no-classic')) return undefined
      return new Map(parseForm(text).map(([name, value]) => [name, has('untrimmed') ? value : value.trim()]))
    } catch {
      return undefined
    }
  }

  function newOrder(id: string, amount: string, currency: string): Order {
    const order: Order = {
      id,
      amount,
      currency,
      state: 'pending',
      attempt: 0,
      clientOrderId: '',
      orderId: '',
      form: undefined,
      isUnknown: false,
      opening: undefined,
      deliveries: 0,
      takenBack: 0,
      isWatched: false,
      callbacks: new Set(),
    }
    orders.set(id, order)
    return order
  }

  /** Where the customer goes. */
  async function pay(order: Order, body: Fields): Promise<string | undefined> {
    if (order.opening !== undefined && !has('new-form-each-time')) return await order.opening
    if (order.isUnknown && order.state === 'pending') await check(order)
    if (order.state === 'paid' && !has('new-form-each-time')) return undefined
    if (order.state === 'notPaid' && has('no-second-try')) return order.form
    if (order.state === 'pending' && order.attempt > 0 && !order.isUnknown && !has('new-form-each-time'))
      return order.form
    if (order.isUnknown && order.orderId === '' && order.state === 'pending' && isDirect) return undefined
    order.opening = open(order, body).finally(() => {
      order.opening = undefined
    })
    return await order.opening
  }

  async function open(order: Order, body: Fields): Promise<string | undefined> {
    order.attempt++
    order.state = order.state === 'paid' ? 'paid' : 'pending'
    order.clientOrderId = `${order.id}-${has('random-ids') ? crypto.randomUUID().slice(0, 8) : order.attempt}`
    order.isUnknown = true
    if (!has('registers-after-reply')) byClientId.set(order.clientOrderId, order)
    current = order
    if (has('logs-cards')) stored.log.push(JSON.stringify([...body]))
    if (has('paid-when-sent')) order.state = 'paid'
    const { clientOrderId, currency } = order
    const amount = has('eight-digits') ? String(Number(Number(order.amount).toPrecision(8))) : order.amount
    const description = body.get('description') ?? 'Tea'
    const email = 'a@example.com'
    const fields = {
      client_orderid: clientOrderId,
      order_desc: has('breaks-texts') ? Buffer.from(description).toString('latin1') : description,
      first_name: body.get('name') ?? 'John',
      last_name: 'Smith',
      address1: 'Main st 1',
      city: 'Berlin',
      zip_code: '10115',
      country: 'DE',
      phone: '+49301234567',
      email,
      amount,
      currency,
      ipaddress: '127.0.0.1',
      ...(isDirect
        ? {
            credit_card_number: body.get('card') ?? '',
            card_printed_name: 'JOHN SMITH',
            expire_month: body.get('month') ?? '',
            expire_year: body.get('year') ?? '',
            cvv2: body.get('cvv') ?? '',
          }
        : {}),
      redirect_url: `${origin}/return?order=${encodeURIComponent(order.id)}`,
      server_callback_url: `${origin}/callback`,
      notify_url: `${origin}/callback`,
      control: sign(gateway.endpointId, clientOrderId, minor(amount, currency), email),
    }
    const path = `${isHolding ? 'preauth' : 'sale'}${isDirect ? '' : '-form'}`
    let reply = await ask(path, fields)
    if (reply === undefined && has('sends-again')) reply = await ask(path, fields)
    if (reply === undefined) {
      void watch(order)
      return undefined
    }
    order.isUnknown = false
    byClientId.set(order.clientOrderId, order)
    if (!reply.has('paynet-order-id')) {
      order.state = 'notPaid'
      return undefined
    }
    order.orderId = reply.get('paynet-order-id') ?? ''
    order.form = reply.get('redirect-url')
    void watch(order)
    return order.form
  }

  /** Asks for the status until it is known. */
  async function watch(order: Order): Promise<void> {
    if (order.isWatched || has('callback-alone')) return
    order.isWatched = true
    for (let tries = 0; isOpen && tries < 200; tries++) {
      await pause(has('polls-for-ever') ? 200 : 1000)
      if (!isOpen) return
      if (order.state !== 'pending' && !has('polls-for-ever')) break
      await check(order)
    }
    order.isWatched = false
  }

  async function check(order: Order): Promise<void> {
    const { clientOrderId, orderId } = order
    const known = orderId === '' ? {} : { orderid: orderId }
    const control = sign(gateway.login, clientOrderId, orderId)
    const status = await ask('status', { login: gateway.login, client_orderid: clientOrderId, ...known, control })
    if (status === undefined || status.get('type') !== 'status-response') return
    order.isUnknown = false
    order.orderId ||= status.get('paynet-order-id') ?? ''
    settle(order, status.get('status') ?? '', status)
  }

  function settle(order: Order, said: string, fields: Fields): void {
    const type = fields.get('transaction-type') ?? fields.get('type') ?? 'sale'
    if (type === 'capture') return
    if (type === 'cancel') {
      if (said === 'approved') order.state = 'notPaid'
      return
    }
    if (/reversal|chargeback/.test(type)) {
      const left = Number(fields.get('amount') ?? 0)
      if (said === 'approved' && !has('ignores-taken-back')) order.takenBack = Number(order.amount) - left
      return
    }
    const isPrice =
      (Number(fields.get('amount')) === Number(order.amount) || has('accepts-amounts')) &&
      (fields.get('currency') === order.currency || has('accepts-currencies'))
    if (has('forgets-approvals')) return
    if (has('compares-times') && said === 'approved') {
      const off =
        Date.now() - Date.parse((fields.get('paynet-processing-date') ?? '').replace(/ UTC$/, 'Z').replace(' ', 'T'))
      if (Math.abs(off) > 600_000) return
    }
    const isPaid = has('takes-all-for-paid')
      ? said !== 'processing'
      : said === 'approved' ||
        (said === 'unknown' && has('unknown-is-paid')) ||
        (said !== 'processing' && said !== 'unknown' && !FAILED.has(said) && has('delivers-unknown-status'))
    if (isPaid && (isPrice || has('takes-all-for-paid'))) {
      if (order.state !== 'paid' || has('delivers-per-callback')) order.deliveries++
      void later(has('delivers-before-it-stores') ? 500 : 0, () => {
        order.state = 'paid'
      })
    } else if (order.state === 'pending' || has('later-callback-wins')) {
      if (FAILED.has(said) && !(has('knows-three-statuses') && said !== 'declined') && !has('forgets-declines'))
        order.state = 'notPaid'
      else if (said === 'unknown' && has('unknown-is-declined')) order.state = 'notPaid'
      else if (said === 'processing' && has('processing-is-failed')) order.state = 'notPaid'
      else if (said === 'unknown' && has('later-callback-wins')) order.state = 'pending'
    }
  }

  /** Unless it is killed before that. */
  async function later(milliseconds: number, store: () => void): Promise<void> {
    if (milliseconds > 0) await pause(milliseconds)
    if (isOpen) store()
  }

  async function callback(fields: Fields, method: string): Promise<number> {
    if (method === 'POST' && has('no-post')) return 405
    if (has('ignores-callbacks')) return 200
    const [status = '', orderId = '', clientOrderId = ''] = ['status', 'orderid', 'client_orderid'].map((name) =>
      fields.get(name),
    )
    const control = fields.get('control')
    const isGenuine =
      control === sign(status, orderId, clientOrderId) ||
      has('accepts-forged') ||
      (!control && has('accepts-without-control'))
    if (!isGenuine) return 403
    const named = has('finds-by-merchant-order') ? (fields.get('merchant_order') ?? clientOrderId) : clientOrderId
    const order = has('one-current-order') ? current : byClientId.get(named)
    if (order === undefined) return 200
    if (order.orderId !== '' && order.orderId !== orderId && !has('one-current-order') && !LOOKS_AT_ONE_ID.some(has))
      return 200
    const key = [status, fields.get('type'), orderId].join()
    if (order.callbacks.has(key) && has('fails-on-duplicates')) return 400
    if (order.callbacks.has(key) && has('first-callback-only')) return 200
    order.callbacks.add(key)
    if (has('acknowledges-first')) {
      void later(500, () => settle(order, status, fields))
      return 200
    }
    const trusts: readonly Mistake[] = [
      'accepts-forged',
      'accepts-without-control',
      'accepts-amounts',
      'accepts-currencies',
      'callback-alone',
      'one-current-order',
      'delivers-unknown-status',
      'delivers-per-callback',
      'expects-client-order-id-alone',
      'later-callback-wins',
      'finds-by-merchant-order',
    ]
    if (trusts.some(has)) settle(order, status, fields)
    else await check(order)
    if (has('delivers-before-it-stores')) await pause(1000)
    return 200
  }

  /** Takes the amount that is held, or releases it. */
  async function end(order: Order, operation: 'capture' | 'return'): Promise<void> {
    if (operation === 'return' && has('forgets-cancels')) return
    const { clientOrderId, orderId } = order
    const control = sign(gateway.login, clientOrderId, orderId)
    const ids = { login: gateway.login, client_orderid: clientOrderId, orderid: orderId }
    const reply = await ask(operation, { ...ids, comment: 'x', control })
    if (operation === 'return' && reply?.get('type') === 'async-response') await check(order)
  }

  async function refund(order: Order, amount: string): Promise<void> {
    if (has('forgets-refunds')) return
    const { clientOrderId, orderId, currency } = order
    const money = { amount, currency }
    const control = sign(gateway.login, clientOrderId, orderId, minor(amount), currency)
    const fields = {
      login: gateway.login,
      client_orderid: clientOrderId,
      orderid: orderId,
      comment: 'x',
      ...money,
      control,
    }
    if (has('counts-refunds-at-once')) order.takenBack += Number(amount)
    const reply = await ask('return', fields)
    if (reply === undefined && has('refunds-again')) await ask('return', fields)
    await pause(50)
    if (!has('counts-refunds-at-once')) await check(order)
  }

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '', origin)
    let text = ''
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk
    const body = new Map([...searchParams, ...new URLSearchParams(text)])
    const method = incoming.method ?? ''
    const [, page = '', id = ''] = pathname.split('/').map(decodeURIComponent)
    const say = (status: number, said: unknown, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said))
    }
    if (page === 'pay') {
      const order = orders.get(id) ?? newOrder(id, body.get('amount') ?? '10.42', body.get('currency') ?? 'EUR')
      const to = await pay(order, body)
      if (to !== undefined)
        return say(
          303,
          {},
          { location: to.replaceAll('\n', '%0A'), 'set-cookie': `order=${id}; HttpOnly; SameSite=Lax` },
        )
      return say(200, { status: order.state })
    }
    if (page === 'orders') {
      const order = orders.get(id)
      if (order === undefined) return say(404, { status: 'none' })
      const { state, deliveries, takenBack } = order
      return say(200, { status: state, deliveries, takenBack: takenBack.toFixed(2) })
    }
    if (page === 'callback') return say(await callback(body, method), {})
    if (page === 'refund') {
      const order = orders.get(id)
      if (order !== undefined) await refund(order, body.get('amount') ?? '')
      return say(200, {})
    }
    if (page === 'capture' || page === 'cancel') {
      const order = orders.get(id)
      if (order !== undefined) await end(order, page === 'capture' ? 'capture' : 'return')
      return say(200, {})
    }
    if (page === 'return') {
      if (has('forgets-the-session') && !incoming.headers.cookie) return say(303, {}, { location: '/login' })
      const order = orders.get(body.get('order') ?? '')
      if (order !== undefined && has('trusts-the-browser') && body.get('status') === 'approved') {
        if (order.state !== 'paid') order.deliveries++
        order.state = 'paid'
      }
      if (order !== undefined && has('return-decides') && body.get('status') !== 'approved') order.state = 'notPaid'
      return say(303, {}, { location: `/orders/${order?.id ?? ''}` })
    }
    say(404, {})
  }

  const server = createServer((incoming, response) => {
    respond(incoming, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      isOpen = false
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const LOOKS_AT_ONE_ID: readonly Mistake[] = ['expects-client-order-id-alone', 'finds-by-merchant-order']

const FAILED: ReadonlySet<string> = new Set(['declined', 'filtered', 'error'])
