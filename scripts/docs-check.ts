/**
 * Checks the site that `pnpm docs:site` has built, as a browser gets it: spelling, links with their anchors, texts of pictures,
 * weight, the questions of users in its own search, and in a Chromium, if there is one, accessibility at a desk and on a phone.
 *
 *     pnpm docs:check                  everything: with a browser, some minutes
 *     pnpm docs:check errors/ index    in the browser only the pages whose names begin so
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { findChromium, openBrowser, overflow, violationsOf } from '@tallystick/test-browser'
import MiniSearch from 'minisearch'
import { QUESTIONS } from './docs/questions.ts'
import { answersOf, SEARCH } from './docs/search.ts'
import { root } from './workspace.ts'

type Page = Parameters<typeof violationsOf>[0]
type BrowserContextOptions = Parameters<Awaited<ReturnType<typeof openBrowser>>['newContext']>[0]

/** Of what a site has. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}
const dist = join(root, 'site/dist')
const BASE = '/tallystick/'
/** Of a page with its scripts and styles, as they are sent: compressed, without pictures. */
const MOST_BYTES = 200_000
const PLAYGROUND = 'playground.html'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }

const pages = globSync('**/*.html', { cwd: dist })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== '404.html')
  .sort()
const wanted = process.argv.slice(2)
/** One page of each kind: the start, the one with fields, and the first of each folder. All have the colours of one theme. */
const LOOKS = new Set([
  'index.html',
  PLAYGROUND,
  ...Array.from(Map.groupBy(pages, dirname).values(), ([first = '']) => first),
])
/** In the browser. */
const opened = wanted.length === 0 ? pages : pages.filter((page) => wanted.some((start) => page.startsWith(start)))
const html = new Map(pages.map((page) => [page, readFileSync(join(dist, page), 'utf8')]))
const findings: string[] = []

checkSpelling()
checkLinks()
checkWeights()
await checkSearch()
await checkInBrowser()
console.log(`${pages.length} pages, ${findings.length} findings`)
if (findings.length > 0) console.error(findings.join('\n'))
if (findings.length > 0 || pages.length === 0) process.exitCode = 1

/** Of the Markdown, by `site/cspell.yaml`. */
function checkSpelling(): void {
  const { status, stdout, stderr } = spawnSync('pnpm', ['exec', 'cspell', 'lint', '--no-progress', '--no-color'], {
    cwd: join(root, 'site'),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  console.log(stderr.trim())
  if (status !== 0)
    findings.push(...(stdout.trim() === '' ? ['the spelling was not checked'] : stdout.trim().split('\n')))
}

function checkLinks(): void {
  const anchors = new Map([...html].map(([page, text]) => [page, new Set(valuesOf(text, / id="([^"]+)"/g))]))
  let links = 0
  for (const [page, text] of html) {
    for (const picture of text.match(/<img [^>]*>/g) ?? [])
      if (!/ alt="[^"]{5,}"/.test(picture)) findings.push(`${page}: a picture has no text: ${picture}`)
    for (const link of valuesOf(text, /<a [^>]*?href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(link)) continue
      links++
      const { pathname, hash } = new URL(link, `http://site${BASE}${page}`)
      const path = decodeURIComponent(pathname).slice(BASE.length)
      const target = path === '' || path.endsWith('/') ? `${path}index.html` : path
      const known = anchors.get(target)
      if (known === undefined && statSync(join(dist, target), { throwIfNoEntry: false }) === undefined)
        findings.push(`${page}: there is no ${link}`)
      if (known !== undefined && hash.length > 1 && !known.has(decodeURIComponent(hash.slice(1))))
        findings.push(`${page}: ${target} has no ${hash}`)
    }
  }
  console.log(`${links} links`)
}

function checkWeights(): void {
  const sent = (file: string) => gzipSync(readFileSync(join(dist, file))).length
  const weights = [...html].map(([page, text]) => {
    const files = new Set(
      valuesOf(text, /(?:href|src)="([^"]+\.(?:js|css|woff2))"/g).map((file) => file.slice(BASE.length)),
    )
    const imported = [...files].flatMap((file) => importsOf(file))
    return { page, bytes: [page, ...new Set([...files, ...imported])].reduce((sum, file) => sum + sent(file), 0) }
  })
  // Its page loads it at once.
  const [playground = ''] = globSync('assets/chunks/playground.*.js', { cwd: dist })
  const heavier = weights.find(({ page }) => page === PLAYGROUND)
  if (heavier !== undefined) heavier.bytes += sent(playground)
  const [heaviest] = weights.toSorted((one, other) => other.bytes - one.bytes)
  for (const { page, bytes } of weights) if (bytes >= MOST_BYTES) findings.push(`${page} weighs ${bytes} bytes`)
  console.log(`the heaviest page is ${heaviest?.page}: ${heaviest?.bytes} bytes`)
}

/** Shows all that the playground can say. */
async function pressButtons(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await page.getByText('More that you know').click()
}

/** What a script imports at once. */
function importsOf(script: string): readonly string[] {
  if (!script.endsWith('.js')) return []
  return valuesOf(readFileSync(join(dist, script), 'utf8'), /(?:from|import)"(\.[^"]+\.js)"/g).map((file) =>
    join(dirname(script), file).replaceAll('\\', '/'),
  )
}

async function checkSearch(): Promise<void> {
  const [chunk = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: dist })
  const { default: index } = await import(join(dist, chunk))
  const search = MiniSearch.loadJSON(index, SEARCH)
  const { count, unanswered } = answersOf(Object.values(QUESTIONS).flat(), (words) =>
    search.search(words).map(({ id }) => id),
  )
  console.log(`${count} of 50 questions are answered among the first three results\n  ${unanswered.join('\n  ')}`)
  if (count < 47) findings.push(`only ${count} of 50 questions are answered`)
}

async function checkInBrowser(): Promise<void> {
  if (findChromium() === undefined) {
    console.log('no Chromium was found: accessibility is not checked')
    return
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '').slice(BASE.length)
    const file = join(dist, path === '' || path.endsWith('/') ? `${path}index.html` : path)
    const body = statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    })
    response.end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`
  const browser = await openBrowser()
  const openPage = async (options: BrowserContextOptions) =>
    await (await browser.newContext({ ...options, reducedMotion: 'reduce' })).newPage()
  await checkPages(await openPage({ viewport: DESK, colorScheme: 'light' }), origin, opened)
  const looks = opened.filter((name) => LOOKS.has(name))
  const phone = { viewport: PHONE, colorScheme: 'dark', isMobile: true, hasTouch: true } as const
  await checkPages(await openPage(phone), origin, looks)
  await browser.close()
  server.close()
}

/** Colours take most of the time: they are checked of one page of each kind. The width is checked at a desk and on a phone. */
async function checkPages(page: Page, origin: string, names: readonly string[]): Promise<void> {
  const first = page.viewportSize() ?? DESK
  const where = `from ${first.width} px`
  for (const name of names) {
    await page.goto(origin + name)
    await page.waitForFunction('document.querySelector("#app").__vue_app__ !== undefined')
    if (name === PLAYGROUND) await pressButtons(page)
    for (const violation of await violationsOf(page, LOOKS.has(name) ? [] : ['color-contrast']))
      findings.push(`${name}, ${where}: ${violation.slice(0, 300)}`)
    for (const viewport of new Set([first, PHONE])) {
      await page.setViewportSize(viewport)
      const wide = await overflow(page)
      if (wide > 0) findings.push(`${name}: ${wide} px wider than a window of ${viewport.width} px`)
    }
    await page.setViewportSize(first)
  }
}

function valuesOf(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([, value = '']) => value)
}
