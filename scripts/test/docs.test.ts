import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isFinalStatus, operationKeys } from '../../packages/core/src/index.ts'
import { STATUSES } from '../../packages/core/src/internal.ts'
import { decodeParameters, signatureBaseString } from '../../packages/signing/src/index.ts'
import { pagesWithBlocks } from '../docs/blocks.ts'
import { journeyPages } from '../docs/journeys.ts'
import { optionsTables, readDoc } from '../docs/options.ts'
import { findFences, sectionOf } from '../readme/fences.ts'
import { root } from '../workspace.ts'

const pages = pagesWithBlocks()
const textOf = (name: string) => readFileSync(join(root, name), 'utf8')
const reference = (name: string) => textOf(`docs/reference/${name}`)

test.for(pages)('$name has what the code says (`pnpm docs:write`)', ({ text, wanted }) => {
  expect(text).toBe(wanted)
})

test('the journeys are what a gateway records now (`pnpm docs:write`)', async () => {
  const pages = await journeyPages()
  expect(pages.size).toBe(8)
  const written = Array.from(pages.keys(), (name) => [name, textOf(name)] as const)
  expect(new Map(written)).toEqual(new Map(pages))
})

test.for(pages)('every option in $name has a meaning', ({ wanted }) => {
  expect(wanted.match(/^\| .* \| {2}\|$/gm)).toBeNull()
})

/** The tables that every user of a package needs, by the page. */
test.for([
  ['docs/client.md', ['PaymentClientOptions']],
  ['docs/core.md', ['defineProfile']],
  ['docs/signing.md', ['SignOAuthInput', 'VerifyOAuthInput', 'replayGuard']],
  ['packages/express-adapter/README.md', ['InboxHandlerOptions', 'CallbackHandlerOptions', 'ThreeDsReturnOptions']],
  ['packages/fastify-plugin/README.md', ['InboxHandlerOptions', 'CallbackHandlerOptions', 'ThreeDsReturnOptions']],
  ['packages/gateway/README.md', ['GatewayOptions', 'MerchantOptions', 'EndpointOptions']],
  ['packages/journal/README.md', ['JournalOptions']],
  ['packages/nest-module/README.md', ['PaymentsModuleOptions', 'RouteOptions']],
  ['packages/opentelemetry/README.md', ['TraceCallsOptions']],
  ['packages/payments/README.md', ['PaymentsOptions']],
  ['packages/testing/README.md', ['StartGatewayOptions']],
] as const)('%s has a table of its options', ([page, names]) => {
  const blocks = Array.from(textOf(page).matchAll(/^<!-- options: (\w+)/gm), ([, name]) => name)
  expect(blocks).toEqual(expect.arrayContaining([...names]))
})

test('the README of the package begins with the shop of the first page', () => {
  const first = findFences(sectionOf(textOf('README.md'), '## A paid order in 25 lines'))[0]?.code ?? ''
  expect(findFences(sectionOf(textOf('packages/payments/README.md'), '## A shop'))[0]?.code).toBe(first)
  // Without the comment that is for the check of samples.
  expect(
    first
      .split('\n')
      .slice(1)
      .filter((line) => line !== '').length,
  ).toBeLessThanOrEqual(25)
})

test('a name that the module does not export is an error and no empty table', () => {
  const module = join(root, 'packages/core/src/index.ts')
  expect(() => optionsTables([{ module, name: 'Nothing' }])).toThrow('exports no Nothing')
})

test('a default ends with its sentence, not at a dot in a number or a name', () => {
  expect(readDoc('Sends (gaps part 13). Default: HTTP/1.1 over undici. Never as {@link View}.')).toEqual({
    meaning: 'Sends. Never as `View`.',
    standard: 'HTTP/1.1 over undici',
  })
  expect(readDoc('By Default nothing')).toEqual({ meaning: 'By Default nothing', standard: undefined })
})

test('each operation is on one page of the reference, and in its index', () => {
  const listed = ['payments.md', 'stored-cards.md', 'payouts.md', 'three-ds.md'].flatMap((page) =>
    Array.from(
      reference(page).matchAll(/^## ([a-z]\w+)$/gm),
      ([, key = '']) => `[\`${key}\`](${page}#${key.toLowerCase()})`,
    ),
  )
  const indexed = Array.from(reference('README.md').matchAll(/^\| (\[`\w+`\]\(.+?\))/gm), ([, link]) => link)
  expect(indexed).toEqual(listed)
  expect(new Set(listed.map((link) => link.split('`')[1]))).toEqual(new Set(operationKeys))
  expect(listed).toHaveLength(operationKeys.length)
  expect(reference('README.md')).toContain(`All ${operationKeys.length} operations`)
})

test('the reference says of every status whether it is final', () => {
  const rows = Array.from(reference('replies.md').matchAll(/^\| `(\w+)` \| (yes|no) \| /gm), ([, ...row]) => row)
  const statuses = rows.filter(([status]) => STATUSES.some((known) => known === status))
  expect(statuses).toEqual(STATUSES.map((status) => [status, isFinalStatus(status) ? 'yes' : 'no']))
})

const signatures = reference('signatures.md')

test('the controls of the reference are the SHA-1 of the text beside them', () => {
  const examples = [...signatures.matchAll(/'(.+)' \| openssl dgst -sha1\n# (.+)/g)]
  expect(examples).toHaveLength(2)
  for (const [, text = '', control] of examples) expect(createHash('sha1').update(text).digest('hex')).toBe(control)
})

test('the OAuth request of the reference has the signature of its base string, which its fields have', () => {
  const [, base = '', key = '', signature = ''] =
    /'(POST.+)' \|\n.+-hmac '(.+)' -binary.+\n# (.+)/.exec(signatures) ?? []
  expect(createHmac('sha1', key).update(base).digest('base64')).toBe(signature)
  const [, path, host, header, body = ''] =
    /POST (\S+) HTTP\/1\.1\nHost: (.+)\n[\s\S]+\nAuthorization: ([\s\S]+?)\n\n(.+)/.exec(signatures) ?? []
  expect(header).toContain(`oauth_signature="${encodeURIComponent(signature)}"`)
  const parameters = decodeParameters(body)
  for (const [name, value] of parameters) if (name.startsWith('oauth_')) expect(header).toContain(`${name}="${value}"`)
  expect(signatureBaseString({ httpMethod: 'POST', url: `https://${host}${path}`, parameters })).toBe(base)
  expect(signatures).toContain(`\`\`\`text\n${base}\n\`\`\``)
})
