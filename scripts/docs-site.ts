/**
 * Builds the documentation into static files, `site/dist`: the pages of VitePress, each page also as Markdown, `llms.txt` and
 * `llms-full.txt`. Reads the built packages, for the pages of all exported names. Only its first run, which installs VitePress,
 * needs a network.
 *
 *     pnpm docs:site
 */
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { playgroundModule } from '@tallystick/playground/build'
import { apiPages } from './docs/api.ts'
import { llmsFull, llmsIndex } from './docs/llms.ts'
import { pictureOf, type SitePage, sitePages } from './docs/site.ts'
import { root } from './workspace.ts'

const site = join(root, 'site')
const pagesFolder = join(site, '.pages')
const dist = join(site, 'dist')

await main()

async function main(): Promise<void> {
  const { pages, sidebar } = sitePages(apiPages())
  rmSync(pagesFolder, { recursive: true, force: true })
  for (const page of pages) write(join(pagesFolder, page.path), withFrontmatter(page))
  copyPictures(pages)
  const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'))
  write(join(pagesFolder, 'site.json'), JSON.stringify({ sidebar, version }))
  write(join(pagesFolder, 'playground.js'), await playgroundModule())
  run('pnpm', 'install', '--frozen-lockfile', '--prefer-offline')
  run('pnpm', 'exec', 'vitepress', 'build')
  for (const { path, text } of pages) write(join(dist, path), text)
  write(join(dist, 'llms.txt'), llmsIndex(pages, sidebar))
  write(join(dist, 'llms-full.txt'), llmsFull(pages))
}

/** For VitePress alone: where a page can be edited, and that the first has no sidebar. */
function withFrontmatter({ path, source, text }: SitePage): string {
  const facts = {
    ...(source === undefined ? { editLink: false } : { source }),
    ...(path === 'index.md' && { sidebar: false, aside: false, pageClass: 'start' }),
  }
  return `---\n${JSON.stringify(facts)}\n---\n\n${text}`
}

function copyPictures(pages: readonly SitePage[]): void {
  for (const file of globSync('docs/{images,journeys}/**/*.{png,svg}', { cwd: root })) {
    const picture = pictureOf(file.replaceAll('\\', '/'))
    const isShown = pages.some(({ text }) => text.includes(`(/${picture})`))
    if (!isShown) continue
    mkdirSync(dirname(join(pagesFolder, 'public', picture)), { recursive: true })
    cpSync(join(root, file), join(pagesFolder, 'public', picture))
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function run(command: string, ...args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`)
}
