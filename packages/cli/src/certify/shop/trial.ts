import type { Duration } from '@tallystick/gateway'
import { type CustomerAnswer, cards, type TestCard } from '@tallystick/testing'
import type { BrowserForm } from '@tallystick/testing/internal'
import type { World } from '../../world.ts'
import { type Browser, openBrowser, type Page } from './browser.ts'
import { type Customer, payOnForm } from './customer.ts'
import { asText, hundredths, type Money, moneyOf } from './money.ts'
import { type Call, type Delivered, holds, opens, type ShopSandbox, type TrialGateway } from './sandbox.ts'
import { pause, type Shop, type ShopState } from './shop.ts'
import { filledIn, has, type ShopRequest, type Values } from './shop-file.ts'
import { type TrialSettings, valuesOf } from './trial-settings.ts'
import { CannotJudge, Wrong } from './verdict.ts'

/** What trials share. */
export interface TrialParts {
  readonly world: World
  readonly shop: Shop
  readonly sandbox: ShopSandbox
  /** No other trial begins a payment until the function that this gives is called. */
  readonly beginTurn: (trial: object) => Promise<() => void>
  /** Whether the shop names its orders to the gateway, so that nobody has to wait for a turn. */
  readonly isNamed: () => boolean
  /** So that no order has the name of another. */
  readonly nextNumber: () => number
}

/** The customer after a payment on the gateway's pages, not back yet. */
export interface Paid {
  /** What takes the browser back. `undefined`: the shop took the card itself. */
  readonly back: BrowserForm | undefined
  readonly begun: Page
}

const LOOK_EVERY_MS = 250
/** How much faster the time of the gateway goes while it is waited for the shop: its repeated callbacks come sooner. */
const FASTER = 10

/** One order of the shop, its customer and its gateway. */
export class Trial {
  readonly world: World
  readonly shop: Shop
  readonly origin: string
  readonly gateway: TrialGateway
  /** What happened, a line each. */
  readonly lines: string[]
  readonly values: Values
  #order: string | undefined
  readonly #parts: TrialParts
  readonly browser: Browser
  #beginning = 0
  #hasBegun = false
  #isCreated = false
  readonly #startedAt: number

  readonly #others: Trial[] = []

  constructor(parts: TrialParts, settings: TrialSettings = {}, lines: string[] = []) {
    this.lines = lines
    const { world, shop, sandbox } = parts
    const number = parts.nextNumber()
    this.#parts = parts
    this.world = world
    this.shop = shop
    this.origin = sandbox.origin
    this.#startedAt = world.now()
    const { like } = { like: undefined, ...shop.file.order }
    this.#order = like && (settings.order ?? like.replace('{number}', String(number)))
    this.values = valuesOf(settings, number)
    const note = (line: string) => this.note(line)
    this.browser = openBrowser(sandbox.origin, world, note)
    this.gateway = sandbox.open({
      names: () => (this.#order === undefined ? [] : [this.#order]),
      amount: this.takesAmount && settings.amount === undefined ? this.values['amount'] : undefined,
      isBeginning: () => this.#beginning > 0,
      acquirer: settings.acquirer,
      clockOffsetMs: settings.clockOffsetMs,
      hasLongIds: settings.hasLongIds,
      isVerbose: settings.isVerbose,
      note,
    })
  }

  /** Another order of the same shop, with a customer and a gateway of its own. */
  another(settings: TrialSettings = {}): Trial {
    const other = new Trial(this.#parts, settings, this.lines)
    this.#others.push(other)
    return other
  }

  async close(): Promise<void> {
    await Promise.all([this.gateway.close(), ...this.#others.map((other) => other.close())])
  }

  note(line: string): void {
    const seconds = ((this.world.now() - this.#startedAt) / 1000).toFixed(1)
    this.lines.push(`${seconds.padStart(6)} s  ${line}`)
  }

  /** Whether the shop takes the amount from us. */
  get takesAmount(): boolean {
    return this.takes('amount') || this.takes('cents')
  }

  /** Whether the shop takes the card itself, and there is no form. */
  get isDirect(): boolean {
    return this.takes('cardNumber')
  }

  takes(placeholder: Parameters<typeof has>[1]): boolean {
    const { begin, create } = this.shop.file
    return has(begin, placeholder) || (create !== undefined && has(create, placeholder))
  }

  /** @throws CannotJudge if the shop's file has no place for it */
  needs(placeholder: Parameters<typeof has>[1]): void {
    if (!this.takes(placeholder)) throw new CannotJudge(`neither begin nor create has a place for {${placeholder}}`)
  }

  /** @throws CannotJudge if the shop has prices of its own */
  needsAmount(): void {
    if (!this.takesAmount) this.needs('amount')
  }

  get settings(): ShopSandbox['settings'] {
    return this.#parts.sandbox.settings
  }

  get controlKey(): string {
    return this.settings.controlKey
  }

  /** Whether the shop has named the order to the gateway, by a name that was known before. */
  get isNamed(): boolean {
    const { order, create } = this.shop.file
    const name = 'like' in order || create !== undefined ? this.#order : undefined
    const isHeld = (value: string) => name !== undefined && holds(value, name)
    return this.openings.some(({ fields }) => [...fields.values()].some(isHeld))
  }

  /** Whether the button can be pressed again for the same order. Otherwise that is a new order of the shop. */
  get canBeginAgain(): boolean {
    return 'like' in this.shop.file.order || this.shop.file.create !== undefined
  }

  get order(): string {
    if (this.#order === undefined) throw new CannotJudge('the shop has not said what it calls the order')
    return this.#order
  }

  /** Requests of the shop that open an order at the gateway. */
  get openings(): readonly Call[] {
    return this.gateway.calls.filter(opens)
  }

  /** The customer presses the button. */
  async begin(card: TestCard = cards.approved, timeoutMs = 120_000): Promise<Page> {
    const { begin, create } = this.shop.file
    if (this.#hasBegun && !this.canBeginAgain)
      throw new CannotJudge('each begin of the shop makes an order of its own, so that none can be begun twice')
    this.#hasBegun = true
    const release = this.#parts.isNamed() ? () => {} : await this.#parts.beginTurn(this)
    this.#beginning++
    try {
      if (create !== undefined && !this.#isCreated) {
        this.#isCreated = true
        this.#learn((await this.#click(create, card, timeoutMs)).body)
      }
      const page = await this.#click(begin, card, timeoutMs)
      this.#learn(`${page.leadsTo ?? ''}\n${page.url}\n${page.body}`)
      return page
    } finally {
      this.#beginning--
      for (const { fields } of this.openings) this.#learn([...fields.values()].join('\n'))
      release()
    }
  }

  async #click(request: ShopRequest, card: TestCard, timeoutMs: number): Promise<Page> {
    const { method, url, headers, body } = filledIn(request, { ...this.values, ...card, order: this.#order ?? '' })
    return await this.browser.open({ method, url, headers, body, timeoutMs })
  }

  #learn(text: string): void {
    const { order } = this.shop.file
    if (this.#order === undefined && 'found' in order) this.#order = order.found.exec(text)?.[1]
  }

  /** The customer begins a payment, and is led to the gateway's form. @throws Wrong if they are not */
  async openForm(): Promise<{ readonly form: string; readonly begun: Page }> {
    if (this.isDirect) throw new CannotJudge('the shop takes the card itself: there is no form')
    const begun = await this.begin()
    if (begun.leadsTo !== undefined) return { form: begun.leadsTo, begun }
    throw new Wrong(`the shop does not lead the customer to the gateway: ${shown(begun)}`, 'lostSale')
  }

  /** The customer pays, and does not come back yet. */
  async pay(card: TestCard = cards.approved, answer: CustomerAnswer = 'confirms'): Promise<Paid> {
    if (!this.isDirect) {
      const { form, begun } = await this.openForm()
      return { back: await this.payOn(form, card, answer), begun }
    }
    const begun = await this.begin(card)
    if (this.openings.length === 0) throw new Wrong(`the shop sends no payment: ${shown(begun)}`, 'lostSale')
    const back = begun.leadsTo === undefined ? undefined : await this.payOn(begun.leadsTo, card, answer)
    await this.gateway.gateway.settled()
    return { back, begun }
  }

  /** On the gateway's pages. */
  async payOn(form: string, card?: TestCard, answer?: Customer['answer']): Promise<BrowserForm> {
    this.note('customer -> gateway  pays on the form')
    const { settled } = this.gateway.gateway
    return await payOnForm(form, { card, answer }, { origin: this.origin, world: this.world, settled })
  }

  /** The browser goes back to the shop, by a form of the gateway's site. */
  async comeBack({ back }: Pick<Paid, 'back'>, isCrossSite = true): Promise<Page | undefined> {
    if (back === undefined) return undefined
    const body = new URLSearchParams(back.fields).toString()
    return await this.browser.open({ method: 'POST', url: back.to, headers: FORM, body, isCrossSite })
  }

  /** All of a payment. */
  async buy(card?: TestCard, answer?: CustomerAnswer): Promise<Paid> {
    const paid = await this.pay(card, answer)
    await this.comeBack(paid)
    return paid
  }

  async state(): Promise<{ readonly state: ShopState; readonly answer: string }> {
    return await this.shop.state({ ...this.values, order: this.order })
  }

  async effects(): Promise<number | undefined> {
    return await this.shop.effects({ ...this.values, order: this.order })
  }

  /** Waits for something of the shop, which has its own timers. */
  async until<T>(
    look: () => Promise<T | undefined>,
    withinMs = this.shop.file.patience * 1000,
    everyMs = LOOK_EVERY_MS,
  ): Promise<T | undefined> {
    const { clock } = this.shop.file
    const started = this.world.now()
    for (let at = started; ; at = this.world.now()) {
      const seen = await look()
      if (seen !== undefined || this.world.now() - started > withinMs) return seen
      await pause(everyMs, this.world)
      if (at - started < 1000 || everyMs !== LOOK_EVERY_MS) continue
      await this.gateway.gateway.clock.advance((FASTER - 1) * LOOK_EVERY_MS)
      if (clock !== undefined) await this.shop.send(clock, { seconds: '5' })
    }
  }

  /** @throws Wrong if the shop does not come to this state in time */
  async becomes(wanted: 'paid' | 'notPaid', why: string): Promise<void> {
    let last = { state: 'pending' as ShopState, answer: '' }
    const reached = await this.until(async () => {
      last = await this.state()
      return last.state === wanted ? true : undefined
    })
    if (reached) return this.note(`shop: ${wanted}`)
    if (last.state === 'unreadable' && /^[234]\d\d /.test(last.answer))
      throw new CannotJudge(`the shop's answer has none of the signs in the file, or several: ${last.answer}`)
    const cost = wanted === 'paid' ? 'nothingForMoney' : last.state === 'paid' ? 'freeGoods' : 'lostSale'
    throw new Wrong(
      `${why}, and after ${this.shop.file.patience} s the shop says ${word(last.state)} instead of ${word(wanted)}: ${last.answer}`,
      cost,
    )
  }

  /** @throws Wrong if the shop takes the order for paid, or delivers, while something wrong has time to show */
  async staysUnpaid(why: string, forMs = this.shop.file.quiet * 1000): Promise<void> {
    const wrong = await this.until(async () => {
      const { state, answer } = await this.state()
      if (state === 'paid') return `the shop says paid: ${answer}`
      const count = await this.effects()
      return count === undefined || count === 0 ? undefined : `goods were delivered ${times(count)}`
    }, forMs)
    if (wrong !== undefined) throw new Wrong(`${why}, and ${wrong}`, 'freeGoods')
    this.note('shop: not paid, nothing delivered')
  }

  /** @throws Wrong if the goods are not delivered once, and once alone */
  async deliversOnce(why: string): Promise<void> {
    if ((await this.effects()) === undefined) return
    const count = await this.until(async () => (await this.effects()) || undefined)
    if (count === undefined) throw new Wrong(`${why}, and nothing is delivered`, 'nothingForMoney')
    const more = await this.until(async () => {
      const now = (await this.effects()) ?? 1
      return now > 1 ? now : undefined
    }, this.shop.file.quiet * 1000)
    if (more !== undefined) throw new Wrong(`${why}, and goods were delivered ${times(more)}`, 'deliveredTwice')
    this.note('shop: delivered once')
  }

  /** The customer has paid once: the shop says so, delivers once, and has charged once. */
  async paidOnce(why = 'the customer has paid'): Promise<void> {
    await this.becomes('paid', why)
    await this.deliversOnce(why)
    await this.chargedOnce()
  }

  /** The payment came to nothing: the shop says so, and delivers nothing. */
  async notPaid(why: string): Promise<void> {
    await this.staysUnpaid(why)
    await this.becomes('notPaid', why)
    await this.chargedAtMost(0)
  }

  async money(): Promise<Money> {
    return moneyOf((await this.gateway.gateway.sandbox?.orders({ limit: 10_000 })) ?? [])
  }

  async chargedAtMost(most: number): Promise<void> {
    const { payments } = await this.money()
    if (payments.length > most)
      throw new Wrong(
        `the customer was charged ${times(payments.length)}: ${payments.map(asText).join(', ')}`,
        'chargedTwice',
      )
  }

  async chargedOnce(): Promise<void> {
    await this.chargedAtMost(1)
    const [payment] = (await this.money()).payments
    if (payment === undefined) throw new Wrong('the shop says paid, and no payment was approved', 'freeGoods')
    const { amount, currency } = this.values
    const isRight =
      !this.takesAmount || (hundredths(payment.amount) === hundredths(amount ?? '') && payment.currency === currency)
    if (!isRight) throw new Wrong(`of ${amount} ${currency}, the shop has charged ${asText(payment)}`, 'wrongAmount')
    this.note(`gateway: charged once, ${asText(payment)}`)
  }

  /** Sends a callback to the shop. */
  async deliver(url: string, method: 'GET' | 'POST' = 'GET'): Promise<Delivered> {
    const answer = await this.#parts.sandbox.deliver(url, method)
    this.note(`gateway -> shop  callback ${method}: ${answer.failure ?? answer.status}`)
    return answer
  }

  /** The same with other values, in a body of JSON. */
  async deliverJson(url: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
    const { origin, pathname, searchParams } = new URL(url)
    const body = JSON.stringify({ ...Object.fromEntries(searchParams), ...changes })
    const headers = { 'content-type': 'application/json' }
    const answer = await this.world.exchange({ method: 'POST', url: origin + pathname, headers, body })
    this.note(`gateway -> shop  callback as JSON: ${'failure' in answer ? answer.failure : answer.status}`)
  }

  async deliverQuietly(url: string): Promise<number> {
    return (await this.#parts.sandbox.deliver(url)).status
  }

  async advance(duration: Duration): Promise<void> {
    this.note(`the gateway's clock goes on by ${duration}`)
    await this.gateway.gateway.clock.advance(duration)
  }

  async wait(milliseconds: number): Promise<void> {
    await pause(milliseconds, this.world)
  }
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
}

function word(state: ShopState): string {
  return state === 'notPaid' ? 'not paid' : state
}

export function shown({ status, url, body, failure }: Page): string {
  const text = body
    .replaceAll(/<[^<>]*>|\s+/g, ' ')
    .trim()
    .slice(0, 160)
  return failure === undefined ? `${url} answers ${status}${text === '' ? '' : ` "${text}"`}` : `${url}: ${failure}`
}
