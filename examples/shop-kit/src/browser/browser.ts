import { setTimeout as pause } from 'node:timers/promises'
import { type Form, formsOf, textOf } from './form.ts'

/** A page that the browser shows. */
export interface Page {
  readonly url: string
  readonly status: number
  readonly html: string
  /** The text that a customer reads on it. */
  readonly text: string
  /** After how many seconds it is to be reloaded. */
  readonly refreshAfter: number | undefined
  /** Whether a form of this page is sent with its origin. */
  readonly tellsOrigin: boolean
}

/** What the browser answers if a site asks who is there. */
export interface SignIn {
  /** The origin of that site. */
  readonly at: string
  readonly user: string
  readonly password: string
}

interface Asked {
  readonly method: 'GET' | 'POST'
  readonly body?: URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
}

const MOST_REDIRECTS = 10
/** This customer does not wait for the page, but reloads at least this often. */
const IMPATIENCE_MS = 200

/**
 * A small browser without script, which plays a customer over HTTP: it opens pages, fills in forms, presses buttons, follows
 * redirects, and reloads pages that update themselves.
 */
export class Browser {
  readonly #signIn: SignIn | undefined
  #page: Page | undefined

  constructor(signIn?: SignIn) {
    this.#signIn = signIn
  }

  get page(): Page {
    if (this.#page === undefined) throw new Error('The browser shows nothing yet: open a page')
    return this.#page
  }

  async open(address: string): Promise<Page> {
    return await this.#go(new URL(address, this.#page?.url), { method: 'GET' })
  }

  /**
   * Presses the button with this label. First types into the fields of its form, by their names.
   *
   * @throws Error if there is no such button, it is disabled, or the form has no such field
   */
  async press(label: RegExp, typed: Readonly<Record<string, string>> = {}): Promise<Page> {
    const form = this.#formWith(label)
    const missing = Object.keys(typed).find((name) => !form.fields.has(name))
    if (missing !== undefined) throw new Error(`The form of ${this.page.url} has no field ${missing}`)
    const fields = new URLSearchParams([...new Map([...form.fields, ...Object.entries(typed)])])
    const target = new URL(form.action === '' ? this.page.url : form.action, this.page.url)
    if (form.method === 'POST') return await this.#go(target, this.#posted(fields))
    target.search = fields.toString()
    return await this.#go(target, { method: 'GET' })
  }

  /** Reloads a page that updates itself, until it no longer does. */
  async settle(patienceMs = 20_000): Promise<Page> {
    for (let waited = 0; this.page.refreshAfter !== undefined && waited < patienceMs; ) {
      const wait = Math.min(this.page.refreshAfter * 1000, IMPATIENCE_MS)
      await pause(wait)
      waited += wait
      await this.open(this.page.url)
    }
    return this.page
  }

  #formWith(label: RegExp): Form {
    const found = formsOf(this.page.html).find(({ buttons }) => buttons.some((button) => label.test(button.label)))
    const button = found?.buttons.find((each) => label.test(each.label))
    if (found === undefined || button === undefined) {
      throw new Error(`There is no button ${label} on ${this.page.url}: ${this.page.text}`)
    }
    if (button.isDisabled) throw new Error(`The button ${label} on ${this.page.url} cannot be pressed`)
    return found
  }

  /** Browsers name the site that a form was sent from, unless the referrer policy of its page forbids it. */
  #posted(body: URLSearchParams): Asked {
    const origin = this.page.tellsOrigin ? new URL(this.page.url).origin : 'null'
    return { method: 'POST', body, headers: { origin } }
  }

  #credentialsFor({ origin }: URL): Readonly<Record<string, string>> {
    if (this.#signIn?.at !== origin) return {}
    const { user, password } = this.#signIn
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
  }

  async #go(address: URL, request: Asked): Promise<Page> {
    let [at, asked] = [address, request]
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const headers = { accept: 'text/html', 'accept-language': 'en', ...asked.headers, ...this.#credentialsFor(at) }
      const reply = await fetch(at, { ...asked, headers, redirect: 'manual' })
      const location = reply.headers.get('location')
      if (location === null) {
        this.#page = await pageOf(at, reply)
        return this.#page
      }
      await reply.body?.cancel()
      ;[at, asked] = [new URL(location, at), { method: 'GET' }]
    }
    throw new Error(`${address.href} redirects more than ${MOST_REDIRECTS} times`)
  }
}

async function pageOf(at: URL, reply: Response): Promise<Page> {
  const html = await reply.text()
  const refresh = reply.headers.get('refresh')
  return {
    url: at.href,
    status: reply.status,
    html,
    text: textOf(html),
    refreshAfter: refresh === null ? undefined : Number(refresh),
    tellsOrigin: reply.headers.get('referrer-policy') !== 'no-referrer',
  }
}
