import { asksForCode, type BrowserForm, formOf, type PageForm, textOf } from '../browser-form.ts'
import type { TestCard } from '../cards.ts'
import { ANSWERS, type CustomerAnswer } from '../simulated-issuer.ts'

interface PageRequest {
  readonly method?: 'POST'
  readonly body?: URLSearchParams
}

/** The gateway of the pages. */
interface PagesOf {
  readonly origin: string
  readonly fetch: (url: string, request: PageRequest) => Promise<Response>
  readonly settled: () => Promise<void>
}

/** The customer's card, and their answer if the bank asks. */
interface Customer {
  readonly card: TestCard
  readonly answer: CustomerAnswer
}

/** A page as the browser shows it. */
interface Shown {
  readonly url: string
  readonly html: string
}

/** Plays a browser without script on the gateway's pages, until a form leads away from them: to the shop. */
export async function payOnPages(address: string, customer: Customer, gateway: PagesOf): Promise<BrowserForm> {
  if (URL.parse(address)?.origin !== gateway.origin) {
    throw new TypeError(
      `payOnPages: ${address} is no page of this gateway, ${gateway.origin}: see where the shop redirects to`,
    )
  }
  let page = await show(address, {}, gateway)
  for (;;) {
    const form = formOf(page.html)
    if (form === undefined) throw new Error(`There is no form to continue from the page "${titleOf(page)}"`)
    const to = new URL(form.to, page.url)
    if (to.origin !== gateway.origin) return { to: form.to, fields: form.fields }
    const body = new URLSearchParams({ ...form.fields, ...typedInto(form, customer) })
    page = await show(to.href, { method: 'POST', body }, gateway)
  }
}

/** Follows redirects once the payment is decided. Earlier, the page would say to wait, and would have to be reloaded. */
async function show(url: string, request: PageRequest, gateway: PagesOf): Promise<Shown> {
  const reply = await gateway.fetch(url, request)
  const html = await reply.text()
  const next = reply.headers.get('location')
  if (next !== null) {
    await gateway.settled()
    return await show(new URL(next, url).href, {}, gateway)
  }
  if (!reply.ok && !asksForCode(formOf(html)))
    throw new Error(`The page "${titleOf({ html })}" was answered ${reply.status}: ${issuesOn(html)}`)
  return { url, html }
}

function typedInto(form: PageForm, { card, answer }: Customer): Readonly<Record<string, string>> {
  if (asksForCode(form)) return ANSWERS[answer]
  return form.asks.has('credit_card_number') ? typed(card) : {}
}

function typed({ cardNumber, expireMonth, expireYear, cvv2, cardPrintedName }: TestCard) {
  const expiry = `${expireMonth}/${expireYear.slice(2)}`
  return { credit_card_number: cardNumber, expiry, cvv2, card_printed_name: cardPrintedName }
}

function titleOf({ html }: Pick<Shown, 'html'>): string {
  return textOf(/<title>([^<]*)/.exec(html)?.[1] ?? '')
}

/** What the page says about the fields that were not accepted. */
function issuesOn(html: string): string {
  return [...html.matchAll(/<li><a [^>]*>([^<]*)/g)].map(([, issue = '']) => textOf(issue)).join(', ')
}
