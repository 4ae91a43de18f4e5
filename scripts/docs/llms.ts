/** The documentation for a reader that is a language model: `llms.txt` lists the pages, `llms-full.txt` has them all. See llmstxt.org. */
import type { SidebarGroup, SitePage } from './site.ts'

const SITE = 'https://tallystick.github.io/tallystick/'

/** What it is, in which order to read, and each page as Markdown with its first sentence. */
export function llmsIndex(pages: readonly SitePage[], sidebar: readonly SidebarGroup[]): string {
  const byLink = new Map(pages.map((page) => [`/${page.path.replace(/(?:index)?\.md$/, '')}`, page]))
  const groups = sidebar.flatMap(({ text, items }) => [
    `## ${text}`,
    items
      .flatMap(({ link }) => byLink.get(link) ?? [])
      .map(({ path, title, text: page }) => `- [${title}](${SITE}${path}): ${summaryOf(page)}`)
      .join('\n'),
  ])
  return [INTRODUCTION, ...groups, ''].join('\n\n')
}

const INTRODUCTION = `# tallystick

> Both halves of a server-to-server payment interface in TypeScript: a client and journal for a shop, and the gateway that it talks to. Payments are sent once, outcomes are applied once, callbacks are confirmed before they count.

To build a shop, use \`createPayments\` of \`@tallystick/payments\`: it has the hosted form, the journal, the routes for callbacks and
returns, and the sentences for customers. The first payment page of your framework is a whole shop. These rules hold everywhere:

- An outcome \`unknown\` or an error \`NO_REPLY\` is no failure: never send the payment again, ask for its status.
- A callback or a returning browser proves nothing: only the status counts. The handlers do that for you.
- Amounts are texts in major units: \`'10.42'\`. Never a number.
- Branch on \`error.code\` and on \`show\`, never on messages. \`error.url\` leads to the page of the code.
- In tests, \`startGateway\` of \`@tallystick/testing\` is the whole gateway.

Every page is also Markdown at the same address with \`.md\`. All of it in one file: ${SITE}llms-full.txt`

/** The first paragraph of prose. */
function summaryOf(page: string): string {
  const paragraphs = page.replaceAll(/^( *```)[\s\S]*?^\1/gm, '').split(/\n{2,}/)
  const first = paragraphs.find((text) => /^[A-Z`[*]/.test(text)) ?? ''
  const words = first.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ')
  return /^.*?[.:](?= |$)/.exec(words)?.[0] ?? words
}

export function llmsFull(pages: readonly SitePage[]): string {
  return pages.map(({ path, text }) => `<!-- ${SITE}${path} -->\n\n${text.trim()}\n`).join('\n')
}
