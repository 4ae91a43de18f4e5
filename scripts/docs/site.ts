/**
 * Makes the pages of the site from the Markdown of the repository: same texts, with links that fit their places there, and names of the
 * public interface that lead to the reference of it.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path/posix'
import { root } from '../workspace.ts'
import type { ApiPage } from './api.ts'

const REPOSITORY = 'https://github.com/tallystick/tallystick'

/** A page of the site. */
export interface SitePage {
  /** Its file in the repository, below the root. Absent: it is made from the code. */
  readonly source?: string
  /** Its file in the site: `guides/callbacks.md`. */
  readonly path: string
  readonly title: string
  readonly text: string
}

/** The groups of the sidebar, each with the sources of its pages in order. What a pattern finds is in the order of its names. */
const GROUPS: ReadonlyArray<readonly [name: string, ...patterns: string[]]> = [
  [
    'Start',
    'docs/guides/first-payment-express.md',
    'docs/guides/first-payment-nest.md',
    'docs/guides/first-payment-fetch.md',
    'docs/guides/testing.md',
    'docs/guides/moving.md',
    'docs/playground.md',
  ],
  ['Recipes', 'docs/recipes/README.md', 'docs/recipes/*.md'],
  [
    'Guides',
    'docs/guides/callbacks.md',
    'docs/guides/unknown.md',
    'docs/guides/back-office.md',
    'docs/guides/three-ds.md',
    'docs/guides/payouts-and-schedules.md',
    'docs/guides/*.md',
    'docs/guides/databases/*.md',
  ],
  ['Errors', 'docs/errors/README.md', 'docs/errors/*.md'],
  ['Journeys', 'docs/journeys/README.md', 'docs/journeys/*.md'],
  [
    'Packages',
    'packages/payments/README.md',
    'packages/client/README.md',
    'packages/journal/README.md',
    'packages/*/README.md',
  ],
  ['The interface', 'docs/reference/README.md', 'docs/reference/*.md', 'docs/three-ds.md', 'docs/state.md'],
  [
    'In full',
    'docs/client.md',
    'docs/core.md',
    'docs/signing.md',
    'docs/runtimes.md',
    'docs/postgresql.md',
    'docs/scale.md',
  ],
  ['Proofs', 'docs/proofs.md', 'docs/performance.md', 'docs/proofs-*.md', 'docs/decisions/README.md', 'docs/*.md'],
]

export interface SidebarGroup {
  readonly text: string
  readonly items: ReadonlyArray<{ readonly text: string; readonly link: string }>
}

/** All pages, the start page first, and the sidebar that leads to each of the others. */
export function sitePages(api: readonly ApiPage[]): {
  readonly pages: readonly SitePage[]
  readonly sidebar: readonly SidebarGroup[]
} {
  const groups = groupedSources()
  const sources = ['docs/README.md', ...groups.flatMap(({ files }) => files)]
  const names = namesOf(api)
  const pages = sources.map((source): SitePage => {
    const path = pathOf(source)
    const text = linkNames(withLinks(readFileSync(join(root, source), 'utf8'), source, sources), path, names)
    return { source, path, title: titleOf(text), text: text.replaceAll(/<!--[\s\S]*?-->\n*/g, '') }
  })
  const made = api.map(({ path, title, text }): SitePage => ({ path, title, text: linkNames(text, path, new Map()) }))
  const itemOf = ({ title, path }: SitePage) => ({ text: title, link: `/${path.replace(/(?:index)?\.md$/, '')}` })
  const sidebar = groups.map(({ name, files }) => ({
    text: name,
    items: pages.filter(({ source = '' }) => files.includes(source)).map(itemOf),
  }))
  return {
    pages: [...pages, ...made],
    sidebar: [...sidebar, { text: 'All names', items: made.map(itemOf) }],
  }
}

/** A file that several patterns find is where the first of them is. */
function groupedSources(): ReadonlyArray<{ readonly name: string; readonly files: readonly string[] }> {
  const taken = new Set(['docs/README.md'])
  return GROUPS.map(([name, ...patterns]) => {
    const found = patterns.flatMap((pattern) =>
      globSync(pattern, { cwd: root })
        .map((file) => file.replaceAll('\\', '/'))
        .sort(),
    )
    const files = found.filter((file) => !taken.has(file) && taken.add(file) && !isPrivate(file))
    return { name, files }
  }).filter(({ files }) => files.length > 0)
}

function isPrivate(readme: string): boolean {
  if (!readme.startsWith('packages/')) return false
  return JSON.parse(readFileSync(join(root, dirname(readme), 'package.json'), 'utf8')).private === true
}

/** `docs/errors/README.md` is `errors/index.md`, `packages/core/README.md` is `packages/core.md`. */
function pathOf(source: string): string {
  if (source.startsWith('packages/')) return `${dirname(source)}.md`
  return source.replace(/^docs\//, '').replace(/README\.md$/, 'index.md')
}

function titleOf(text: string): string {
  return (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '')
}

const FENCE = /^( *```)[\s\S]*?^\1/gm
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g

/** Applies a change to what is no fenced code. */
function outsideFences(text: string, change: (part: string) => string): string {
  const fences = Array.from(text.matchAll(FENCE), ([fence]) => fence)
  return text
    .split(FENCE)
    .filter((_part, at) => at % 2 === 0)
    .map((part, at) => change(part) + (fences[at] ?? ''))
    .join('')
}

/** Links to pages lead to their places in the site, links to other files to the repository. Pictures come along. */
function withLinks(text: string, source: string, sources: readonly string[]): string {
  return outsideFences(text, (part) =>
    part.replaceAll(LINK, (_link, picture: string, label: string, target: string) => {
      const inner = label.includes('](') ? withLinks(label, source, sources) : label
      return `${picture}[${inner}](${targetOf(target, source, sources)})`
    }),
  )
}

function targetOf(target: string, source: string, sources: readonly string[]): string {
  if (/^(?:[a-z]+:|#)/i.test(target)) return target
  const [file = '', anchor] = target.split('#')
  const wanted = normalize(join(dirname(source), file)).replace(/\/$/, '')
  const hash = anchor === undefined ? '' : `#${anchor}`
  const page = [wanted, `${wanted}/README.md`].find((one) => sources.includes(one))
  if (page !== undefined) return `${relativePath(pathOf(source), pathOf(page))}${hash}`
  if (wanted === 'README.md') return relativePath(pathOf(source), 'index.md')
  if (/\.(?:png|svg)$/.test(wanted)) return `/${pictureOf(wanted)}`
  return `${REPOSITORY}/${/\.\w+$|LICENSE$/.test(wanted) ? 'blob' : 'tree'}/main/${wanted}${hash}`
}

/** Where a picture of the repository is in the site. */
export function pictureOf(file: string): string {
  return file.replace(/^docs\//, '')
}

function relativePath(from: string, to: string): string {
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** The page and the heading of each exported name that only one package has. */
function namesOf(api: readonly ApiPage[]): ReadonlyMap<string, string> {
  const pages = Map.groupBy(
    api.flatMap(({ path, names }) => names.map((name) => ({ name, path }))),
    ({ name }) => name,
  )
  return new Map([...pages].flatMap(([name, [first, second]]) => (first && !second ? [[name, first.path]] : [])))
}

/** The first mention of a name on a page leads to what the reference says of it. Not in headings, nor inside a link. */
function linkNames(text: string, path: string, names: ReadonlyMap<string, string>): string {
  const linked = new Set<string>()
  return outsideFences(text, (part) =>
    part.replaceAll(/^#.*$|\[(?:[^[\]]|\[[^\]]*\])*\]\([^)\s]+\)|`([A-Za-z]\w+)(\(\))?`/gm, (whole, name?: string) => {
      const page = name === undefined ? undefined : names.get(name)
      if (name === undefined || page === undefined || linked.has(name) || name.length < 5) return whole
      linked.add(name)
      return `[${whole}](${relativePath(path, page)}#${name.toLowerCase()})`
    }),
  )
}
