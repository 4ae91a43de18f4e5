import type { BrowserContext, Page } from 'playwright-core'

/** One page of a browser, with everything that went wrong in it. */
export interface Visit {
  readonly page: Page
  /** Messages of the console, failures of scripts, and what the policy of the page stopped. */
  readonly complaints: string[]
  /** All that was fetched, with its bytes on the wire but for the headers. */
  readonly fetched: Array<{ readonly url: string; readonly bytes: number }>
}

export async function visit(context: BrowserContext, address: string): Promise<Visit> {
  const page = await context.newPage()
  const complaints: string[] = []
  const fetched: Visit['fetched'] = []
  page.on('console', (message) => void complaints.push(message.text()))
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on('requestfinished', (request) => {
    // Nobody asks any more what a page has fetched that is closed by then.
    const measured = request.sizes().catch(() => undefined)
    void measured.then((sizes) => {
      if (sizes === undefined) return
      fetched.push({ url: request.url(), bytes: sizes.responseBodySize + sizes.responseHeadersSize })
    })
  })
  await page.goto(address)
  return { page, complaints, fetched }
}

/** From the next page on no script sends a form: a page that leads on by itself stays until its button is pressed. */
export async function stopForms(context: BrowserContext): Promise<void> {
  await context.addInitScript('HTMLFormElement.prototype.submit = () => {}')
}

/** From now on the page at an address is not told to look again by itself: it stays. */
export async function stopRefresh(context: BrowserContext, address: string): Promise<void> {
  await context.route(address, async (route) => {
    const response = await route.fetch()
    const { refresh: _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
}

/** Writes a page as it came without script into one that has script: axe is one itself. The page's own does not run. */
export async function copyInto(copy: Page, page: Page): Promise<void> {
  await copy.setContent((await page.content()).replace(/<script.*<\/script>/s, ''))
}

/** What has moved since the page began, also what moved after input: each element with where it was and where it is. */
export async function moves(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`new Promise((resolve) => {
    const moved = []
    const place = ({ x, y, width, height }) => [x, y, width, height].join(' ')
    const add = (entries) => {
      for (const { value, sources } of entries) {
        for (const { node, previousRect, currentRect } of sources) {
          moved.push(value.toFixed(4) + ' ' + node?.nodeName + '.' + node?.className + ' ' + place(previousRect) + ' to ' + place(currentRect))
        }
      }
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    requestAnimationFrame(() => requestAnimationFrame(() => {
      add(observer.takeRecords())
      resolve(moved)
    }))
  })`)
}
