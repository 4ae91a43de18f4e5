import type { Exchanged, World } from '../../world.ts'

/** A customer's browser, as far as a shop can tell: it keeps cookies, and follows redirects. */
export interface Browser {
  /** Opens an address. `from` is the site of the page whose link or form leads there. Default: the shop's own. */
  open(request: Opened): Promise<Page>
}

export interface Opened {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** A form of another site has led here: cookies that are not for that stay away, as browsers do it. */
  readonly isCrossSite?: boolean
  readonly timeoutMs?: number
}

/** Where the browser ends up. */
export interface Page {
  readonly url: string
  /** 0: nobody answers. */
  readonly status: number
  readonly body: string
  readonly failure?: string
  /** The address of the gateway that the shop leads to. The browser does not open it. */
  readonly leadsTo?: string
}

interface Cookie {
  readonly value: string
  /** Whether a form of another site that is posted here brings it along. */
  readonly isForAll: boolean
}

/** Like browsers: more are a circle. */
const MOST_REDIRECTS = 10

/** @param gateway its origin */
export function openBrowser(gateway: string, { exchange }: World, note: (line: string) => void): Browser {
  const jars = new Map<string, Map<string, Cookie>>()

  function cookiesFor(url: string, isCrossSitePost: boolean): string {
    const jar = jars.get(new URL(url).host) ?? new Map<string, Cookie>()
    return [...jar]
      .flatMap(([name, { value, isForAll }]) => (isCrossSitePost && !isForAll ? [] : `${name}=${value}`))
      .join('; ')
  }

  function keep(url: string, reply: Exclude<Exchanged, { failure: string }>): void {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, Cookie>()
    for (const line of reply.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';', 1)
      const name = pair.slice(0, pair.indexOf('=')).trim()
      const value = pair.slice(pair.indexOf('=') + 1)
      if (name === '') continue
      if (/;\s*max-age=(?:0|-\d+)\b/i.test(line)) jar.delete(name)
      else jar.set(name, { value, isForAll: /;\s*samesite=none\b/i.test(line) })
    }
    jars.set(host, jar)
  }

  async function open(request: Opened, redirects = 0): Promise<Page> {
    const { method, url, headers = {}, body, isCrossSite = false, timeoutMs } = request
    const cookie = cookiesFor(url, isCrossSite && method !== 'GET')
    const origin = isCrossSite && method !== 'GET' ? { origin: gateway } : {}
    const reply = await exchange({
      method,
      url,
      headers: { ...BROWSER_HEADERS, ...origin, ...(cookie === '' ? {} : { cookie }), ...headers },
      body,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
    if ('failure' in reply) {
      note(`customer -> shop  ${method} ${url}: ${reply.failure}`)
      return { url, status: 0, body: '', failure: reply.failure }
    }
    keep(url, reply)
    const location = reply.headers['location']?.[0]
    note(`customer -> shop  ${method} ${url}: ${reply.status}${location === undefined ? '' : ` -> ${location}`}`)
    if (location === undefined || reply.status < 300 || reply.status > 399) {
      const leadsTo = reply.status < 400 ? addressIn(reply.body, gateway) : undefined
      return { url, status: reply.status, body: reply.body, ...(leadsTo === undefined ? {} : { leadsTo }) }
    }
    const next = new URL(location, url).href
    if (new URL(next).origin === gateway) return { url, status: reply.status, body: reply.body, leadsTo: next }
    if (redirects === MOST_REDIRECTS) return { url, status: 0, body: '', failure: 'it redirects in a circle' }
    const isAgain = reply.status === 307 || reply.status === 308
    // What follows a form of another site is from there too. By GET, browsers send what is not for that site alone.
    return await open(
      isAgain ? { ...request, url: next } : { method: 'GET', url: next, isCrossSite, ...(timeoutMs && { timeoutMs }) },
      redirects + 1,
    )
  }

  return { open: (request) => open(request) }
}

const BROWSER_HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8',
  'user-agent': 'Mozilla/5.0 (tallystick certify shop)',
}

/** In a link, a form, a script or JSON. */
function addressIn(body: string, gateway: string): string | undefined {
  const text = body.replaceAll('\\/', '/').replaceAll('&amp;', '&')
  const at = text.indexOf(`${gateway}/`)
  return at < 0 ? undefined : /^[^\s"'<>\\)]+/.exec(text.slice(at))?.[0]
}
