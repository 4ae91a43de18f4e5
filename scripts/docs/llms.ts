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
  return [INTRODUCTION, wholeShop(pages), ...groups, ''].join('\n\n')
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

/** A sample that runs as it is, so that a shop can be written from this text alone. */
function wholeShop(pages: readonly SitePage[]): string {
  const page = pages.find(({ path }) => path === 'guides/first-payment-fetch.md')
  const [sample] = /^```ts\n[\s\S]*?^```/m.exec(page?.text ?? '') ?? []
  if (sample === undefined) throw new Error('the guide for fetch has no sample')
  return `${SHOP}\n\n${sample}\n\n${MOUNTS}`
}

const SHOP = `## A whole shop in one file

\`npm install @tallystick/payments\` and \`npm install --save-dev @tallystick/testing\` in a project of ES modules, Node 22.19 or later.
\`npm create tallystick my-shop -- --framework express --database sqlite\` writes one with a test (also nest, fastify, hono, next).
This one runs as it is, with a gateway in the same process and a simulated customer:`

/** @see docs/guides/first-payment-fetch.md */
const MOUNTS = `The routes for callbacks and returning browsers are mounted before body parsers, sessions and form tokens:

- Express: \`app.use('/payments', payments.express())\`
- Hono: \`app.all('/payments/*', ({ req }) => payments.fetch(req.raw))\`
- Fastify: \`app.register(paymentRoutes(payments), { prefix: '/payments' })\`, with \`paymentRoutes\` of \`@tallystick/fastify-plugin\`
- Nest: \`PaymentsModule\` of \`@tallystick/nest-module\`, with methods that carry \`@OnPaid()\`
- anything else with \`Request\` and \`Response\`: \`payments.fetch(request)\` for all paths below \`/payments/\`

\`shopUrl\` is where the gateway and browsers reach the shop: its callbacks come to \`/payments/callback\` below it.`

/** The first paragraph of prose that is more than a link. */
function summaryOf(page: string): string {
  const paragraphs = page.replaceAll(/^( *```)[\s\S]*?^\1/gm, '').split(/\n{2,}/)
  const first = paragraphs.find((text) => /^[A-Z`[*]/.test(text) && !/^\[[^\]]*\]\([^)]*\)\.?$/.test(text)) ?? ''
  const words = first.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ')
  return /^.*?[.:](?= |$)/.exec(words)?.[0] ?? words
}

export function llmsFull(pages: readonly SitePage[]): string {
  return pages.map(({ path, text }) => `<!-- ${SITE}${path} -->\n\n${text.trim()}\n`).join('\n')
}
