import type { PaymentClient } from '@tallystick/client'
import { type AmountText, type Exponents, toMinorUnits } from '@tallystick/core'
import { errorUrl, exponentOf } from '@tallystick/core/internal'
import { type Intent, type Journal, type PayResult, standingOf } from '@tallystick/journal'
import type { KeyCheck } from './key-check.ts'
import { keyCheck } from './key-check.ts'
import type { PaymentsEvent, PaymentsSettings } from './options.ts'
import { mergedTexts } from './options.ts'
import { type Addresses, formOf, type PaymentOrder } from './order.ts'
import { asFetch, asMiddleware, type Middleware, type PaymentRoutes, paymentRoutes } from './routes.ts'
import { type ShownPayment, type Standing, shownPayment, shownWithoutKeys } from './shown.ts'
import type { TextsByLanguage } from './texts.ts'

/** How much of a payment is given back, and why. */
export interface Refund {
  /** Your name for the payment: `'invoice 77'`. */
  readonly payment: string
  /** In major units: `'1.00'`. Default all that is left. */
  readonly amount?: AmountText | undefined
  /** Default that of the payment: another one is refused. */
  readonly currency?: string | undefined
  /** Why, for the people who look later. At most 50 characters. */
  readonly comment: string
}

/** The payments of a shop, made by `createPayments`, or injected by the Nest module. */
export class Payments<Transaction = unknown> {
  /** Every operation of the gateway, without the journal's care: for what only reads. */
  readonly client: PaymentClient
  /** Everything else that is done once: cards, captures, rebills, payouts, and what a person decides. */
  readonly journal: Journal<Transaction>
  /** The two routes as handlers, for an adapter. */
  readonly routes: PaymentRoutes
  /** The routes for servers that speak `Request` and `Response`: `export const POST = payments.fetch`. */
  readonly fetch: (request: Request) => Promise<Response>
  readonly #parts: Required<Pick<PaymentsSettings, 'path'>> & {
    readonly shopUrl: () => string
    readonly texts: TextsByLanguage
    readonly report: (event: PaymentsEvent) => void
    readonly keys: KeyCheck
  }

  /** Over a client and a journal of your own, which call your handlers and are started and closed by you. */
  constructor(client: PaymentClient, journal: Journal<Transaction>, settings: Omit<PaymentsSettings, 'gateway'>) {
    const { path = '/payments', shopUrl, returnTo, onEvent = warn } = settings
    const urlOf = () => (typeof shopUrl === 'function' ? shopUrl() : shopUrl).replace(/\/$/, '')
    const texts = mergedTexts(settings.texts)
    const report = quietly(onEvent)
    this.client = client
    this.journal = journal
    this.#parts = { path, shopUrl: urlOf, texts, report, keys: keyCheck(client, report) }
    this.routes = paymentRoutes({ client, journal, texts, shopUrl: urlOf, returnTo })
    this.fetch = asFetch(this.routes, report)
  }

  /**
   * Takes a payment on the gateway's own page, once, however often it is called: after a double press, a crash or in another
   * process. After a payment that came to nothing, the next call begins the next attempt.
   *
   *     const payment = await payments.pay('invoice 77', { amount: '10.42', currency: 'EUR', description: 'Tea', customer })
   *     if (payment.show === 'redirect') response.redirect(303, payment.location)
   *
   * @param key your name for the payment. It stands for this amount: with another one it is `contact-us`, until its form has expired
   * @throws TypeError for a wrong key or an order without a customer; what the database throws: then nothing was sent
   */
  async pay(key: string, order: PaymentOrder): Promise<ShownPayment> {
    const { operation = 'saleForm' } = requireOrder(order)
    const { keys, texts, report } = this.#parts
    const refusal = await keys.refusal()
    if (refusal !== undefined) {
      report({ type: 'PAYMENT_FAILED', message: `${key}: nothing was sent, wrong key`, key, error: refusal })
      return shownWithoutKeys(key, refusal, texts)
    }
    const form = formOf(order, this.#addresses())
    const paid: Standing = await this.journal.pay(key, operation, form, { attempt: 'next' })
    // Who went back to mend an address pays the same, on the form that is open.
    const isSame = paid.outcome === 'conflict' && isOf(paid.intent, { ...order, operation }, this.client.exponents)
    const result = isSame ? standingOf(paid.intent) : paid
    const { outcome, error } = result
    if (error?.code === 'AUTH_REJECTED' && error.isReply) keys.doubt()
    const message = `${key}: ${outcome}, ${outcome === 'conflict' ? CHANGED : error?.message}`
    if (error !== undefined && outcome === 'unknown') report({ type: 'PAYMENT_UNKNOWN', message, key, error })
    else if (error !== undefined || outcome === 'conflict') report({ type: 'PAYMENT_FAILED', message, key, error })
    return shownPayment(result, texts)
  }

  /** How the payment of a key stands, for the order's page. Sends nothing to the gateway. `undefined`: there is none. */
  async find(key: string): Promise<ShownPayment | undefined> {
    const attempts = await this.journal.attempts(key)
    const intent = attempts.find(({ status }) => status === 'approved') ?? attempts.at(-1)
    return intent && shownPayment(standingOf(intent), this.#parts.texts)
  }

  /**
   * Gives back an approved payment, once for each key of its own: `refund('refund 1 of invoice 77', { payment: 'invoice 77', ... })`.
   * `onResult` is called with what became of it.
   *
   * @throws TypeError if the payment is not approved, and for what `journal.pay` throws it
   */
  async refund(key: string, { payment, amount, currency, comment }: Refund): Promise<PayResult<'return'>> {
    const intent = (await this.journal.attempts(payment)).find(({ status }) => status === 'approved')
    if (intent?.orderId === undefined) throw new TypeError(`${payment} is not paid, so it cannot be refunded`)
    const { clientOrderId, orderId } = intent
    const money = amount === undefined ? { currency } : { amount, currency: currency ?? intent.currency }
    return await this.journal.pay(key, 'return', { clientOrderId, orderId, ...money, comment })
  }

  /**
   * Checks the login and the control key before the first customer. An unreachable gateway says nothing about them, and is reported
   * to `onEvent`.
   *
   * @throws Error that says `Wrong key`, and what to compare
   */
  async ready(): Promise<void> {
    const check = await this.#parts.keys.check()
    if (check.credentials === 'wrong') throw new Error(check.remedy, { cause: check.error })
  }

  /** The routes as a middleware: `app.use('/payments', payments.express())`, before sessions and form tokens. */
  express(): Middleware {
    const { shopUrl, path, report } = this.#parts
    return asMiddleware(this.routes, () => new URL(shopUrl()).pathname.replace(/\/$/, '') + path, report)
  }

  /** Finishes what is under way and closes the database's store: after the server, before the process ends. */
  async close(): Promise<void> {
    await this.journal.close()
  }

  #addresses(): Addresses {
    const { shopUrl, path } = this.#parts
    const base = shopUrl() + path
    return { callback: `${base}/callback`, comeBack: `${base}/return` }
  }
}

const CHANGED = 'the amount has changed since the button was pressed, and that payment is open or paid'

/** Whether an intent is of the same money. The customer and the words may differ: the gateway has those of the first press. */
function isOf(
  { operation, amounts, currency }: Intent,
  order: Pick<PaymentOrder, 'amount' | 'currency' | 'operation'>,
  exponents: Exponents,
): boolean {
  const amount = toMinorUnits(order.amount, exponentOf(order.currency, exponents))
  return operation === order.operation && currency === order.currency && amounts.length === 1 && amounts[0] === amount
}

/** A program without types may leave it out. */
function requireOrder(order: PaymentOrder): PaymentOrder {
  if (typeof order?.customer === 'object' && order.customer !== null) return order
  throw new TypeError(
    'payments.pay: the order must have a customer, { email, phone, address1, city, zipCode, country, ip }',
  )
}

function quietly(listener: (event: PaymentsEvent) => void): (event: PaymentsEvent) => void {
  const emit = async (event: PaymentsEvent): Promise<void> => listener(event)
  return (event) => void emit(event).catch(() => {})
}

/** Our own events; those of the journal go to its default listener. */
function warn(event: PaymentsEvent): void {
  if (!('message' in event)) return
  const { type: code, message } = event
  process.emitWarning(message, { type: 'PaymentsWarning', code, detail: errorUrl('payments', code) })
}
