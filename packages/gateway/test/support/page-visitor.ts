import type { Gateway, GatewayReply } from '../../src/index.ts'
import { BASE_URL, type Fields, form } from './signed-requests.ts'

/** A form of a page, as a browser sees it. */
export interface SeenForm {
  readonly action: string
  readonly method: string
  /** The name of the frame that shows the answer. */
  readonly target: string | undefined
  /** After how many milliseconds the script of the page sends it. */
  readonly after: number | undefined
  readonly fields: Fields
  readonly hasButton: boolean
}

export interface SeenPage {
  readonly address: string
  readonly reply: GatewayReply
  readonly text: string
  readonly forms: readonly SeenForm[]
}

/** The browser has left the gateway: where it posted to, and which fields. */
export interface Left {
  readonly to: string
  readonly fields: Fields
}

/** The page that the browser is still at. */
export function page(at: SeenPage | Left): SeenPage {
  if ('to' in at) throw new Error(`The customer is at ${at.to}`)
  return at
}

/** Where the browser went when it left. */
export function out(at: SeenPage | Left): Left {
  if ('text' in at) throw new Error(`The customer is still at ${at.address}: ${at.text}`)
  return at
}

const ORIGIN = new URL(BASE_URL).origin

/** A customer who goes through the pages of a gateway, with or without script. */
export function visitor(gateway: Pick<Gateway, 'handle' | 'settled'>, { script = true, language = 'en' } = {}) {
  async function send(method: 'GET' | 'POST', address: string, fields: Fields = {}): Promise<SeenPage> {
    if (new URL(address).origin !== ORIGIN) throw new Error(`${address} is not at the gateway`)
    const type = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
    const headers = { 'accept-language': language, ...type }
    const body = method === 'POST' ? form(fields) : ''
    const reply = await gateway.handle({ method, url: address.slice(ORIGIN.length), headers, body })
    await gateway.settled()
    if (reply.status === 303) return await send('GET', ORIGIN + reply.headers['location'])
    return { address, reply, text: reply.body, forms: formsOf(reply.body, address) }
  }

  const open = (address: string) => send('GET', address)

  const submit = async ({ action, fields }: SeenForm, typed: Fields = {}): Promise<SeenPage> =>
    send('POST', action, { ...fields, ...typed })

  /** Follows pages for as long as their script moves on by itself. Without script it presses the buttons of such pages. */
  async function follow(page: SeenPage): Promise<SeenPage | Left> {
    const next = page.forms.find((form) => isOutside(form) || (form.after !== undefined && (script || form.hasButton)))
    if (next === undefined) return page
    if (isOutside(next)) return { to: next.action, fields: next.fields }
    const answer = await submit(next)
    return follow(next.target === undefined ? answer : await leaveFrame(answer))
  }

  /** Follows the pages inside the frame, until one takes the window around it to the next page. */
  async function leaveFrame(framed: SeenPage): Promise<SeenPage> {
    const ended = await follow(framed)
    if ('to' in ended) throw new Error(`The frame led to ${ended.to}`)
    const [, next] = /<a class="button" href="([^"]+)"/.exec(ended.text) ?? []
    if (next === undefined) throw new Error(`The frame ended at ${ended.address}`)
    return await open(unescaped(next))
  }

  return {
    open,
    submit,
    follow,
    /** Goes from an address to the page that asks the customer for something, or out. */
    go: async (address: string) => follow(await open(address)),
    post: (address: string, fields: Fields) => send('POST', address, fields),
    /** Answers the page of the simulated issuer, and goes on from there. */
    answer: async (page: SeenPage | Left, typed: Fields): Promise<SeenPage | Left> => {
      if ('to' in page) throw new Error(`The customer is at ${page.to}`)
      const [code] = page.forms
      if (code === undefined) throw new Error(`There is no form at ${page.address}: ${page.text}`)
      return follow(await submit(code, typed))
    },
  }
}

function isOutside({ action }: SeenForm): boolean {
  return !action.startsWith(`${BASE_URL}/`)
}

function formsOf(page: string, address: string): SeenForm[] {
  return [...page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', content = '']) => {
    const after = attribute(attributes, 'data-after')
    return {
      action: new URL(attribute(attributes, 'action') ?? '', address).href,
      method: attribute(attributes, 'method') ?? 'get',
      target: attribute(attributes, 'target'),
      after: after === undefined ? undefined : Number(after),
      fields: hiddenFields(content),
      hasButton: content.includes('<button'),
    }
  })
}

function hiddenFields(content: string): Fields {
  const inputs = [...content.matchAll(/<input type="hidden"([^>]*)>/g)]
  return Object.fromEntries(
    inputs.map(([, attributes = '']) => [attribute(attributes, 'name') ?? '', attribute(attributes, 'value') ?? '']),
  )
}

function attribute(attributes: string, name: string): string | undefined {
  const [, value] = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes) ?? []
  return value === undefined ? undefined : unescaped(value)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function unescaped(text: string): string {
  return text.replace(/&(\w+|#\d+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
