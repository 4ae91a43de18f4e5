import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Outbound } from '@tallystick/client'
import { Eta } from 'eta'
import { showMoney, toMajor, toMinor } from '../money.ts'
import type { AtGateway } from '../payments/ask-gateway.ts'
import type { Changed } from '../payments/change-order.ts'
import { buttonsOf, isUnderWay, ruled, standing } from '../payments/rules.ts'
import { type Product, products } from '../products.ts'
import type { LedgerRow, ShopOrder } from '../rows/order.ts'
import { asset, htmlPage } from './page.ts'
import { KIND_WORDS, STATUS_WORDS } from './words.ts'

const VIEWS = fileURLToPath(new URL('../../views', import.meta.url))

export interface PagesOptions {
  /** The origin of the gateway. */
  readonly gateway: string
  readonly now: () => number
}

type Refused = Extract<Changed, { readonly ok: false }>

interface ProblemDetails {
  readonly text?: string
  readonly headers?: Outbound['headers']
}

export type Pages = ReturnType<typeof createPages>

/** All pages of the shop, as responses. Eta escapes all values. */
export function createPages({ gateway, now }: PagesOptions) {
  const eta = new Eta({ views: VIEWS, cache: true })
  const style = readFileSync(`${VIEWS}/style.css`, 'utf8')
  const icon = readFileSync(`${VIEWS}/tally.svg`, 'utf8')
  const render = (view: string, data: object) => eta.render(`./${view}`, { ...data, ...FORMATS })
  const problem = (status: number, title: string, { text = '', headers = {} }: ProblemDetails = {}): Outbound => {
    const page = htmlPage(render('problem', { title, text }), { status })
    return { ...page, headers: { ...page.headers, ...headers } }
  }

  return {
    catalogue: (): Outbound => htmlPage(render('catalogue', { products }), { gateway }),
    order: (order: ShopOrder): Outbound => {
      const data = { order, standing: standing(order), isUnderWay: isUnderWay(order) }
      return htmlPage(render('order', data), { isWaiting: data.isUnderWay })
    },
    backOffice: (orders: readonly ShopOrder[], ledger: readonly LedgerRow[]): Outbound => {
      const shown = orders.map((order) => ({ ...order, standing: standing(order) }))
      return htmlPage(render('back-office', { orders: shown, ledger }))
    },
    backOfficeOrder: (order: ShopOrder, atGateway: AtGateway): Outbound => {
      const isWaiting = isUnderWay(order)
      const rules = { sums: ruled(order), buttons: buttonsOf(order, now()) }
      const data = { order, standing: standing(order), isUnderWay: isWaiting, ...rules, atGateway }
      return htmlPage(render('back-office-order', data), { isWaiting })
    },
    refused: ({ rule, reason }: Refused): Outbound =>
      problem(409, 'Not now', { text: `Reason: ${reason} (rule ${rule}).` }),
    problem,
    failed: (status: number): Outbound => problem(status, 'This did not work', { text: FAILED }),
    style: (): Outbound => asset('text/css; charset=utf-8', style),
    icon: (): Outbound => asset('image/svg+xml', icon),
  }
}

const FAILED = 'Please do not pay again until the page of your order shows whether you have paid.'

const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

const FORMATS = {
  price: ({ price, currency }: Product) => showMoney(toMinor(price) ?? 0n, currency),
  money: showMoney,
  major: toMajor,
  time: (at: number) => `${TIME.format(at)} UTC`,
  kinds: KIND_WORDS,
  statuses: STATUS_WORDS,
}
