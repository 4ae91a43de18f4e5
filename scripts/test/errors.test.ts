import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { ERRORS_URL, GATEWAY_CODES } from '../../packages/core/src/internal.ts'
import { explainControl, hmacKey } from '../../packages/signing/src/index.ts'
import { literalsOf, type OptionsType } from '../docs/options.ts'
import { anchorsOf } from '../readme/links.ts'
import { publicPackages, root } from '../workspace.ts'

/** One heading of a page, with what stands below it. */
interface Section {
  readonly page: string
  readonly title: string
  readonly text: string
}

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = globSync('docs/errors/*.md', { cwd: root })
  .filter((file) => !file.endsWith('README.md'))
  .sort()
const sections = pages.flatMap(sectionsOf)
/** A heading that only groups others. */
const isCode = ({ title }: Section) =>
  /^(?:[A-Z]+(?:_[A-Z]+)*|[a-z0-9]+(?:-[a-z0-9]+)+|(?:error-|exit )code \d+)$/.test(title)
const documented = new Set(sections.filter(isCode).map(({ page, title }) => `${page} ${title}`))

function sectionsOf(file: string): readonly Section[] {
  const [intro = '', ...rest] = textOf(file).split(/^#{2,3} /m)
  return rest.map((part) => {
    const [title = ''] = part.split('\n', 1)
    // What holds for all stands before the first.
    return { page: basename(file, '.md'), title, text: `${intro.includes('ever means') ? intro : ''}\n${part}` }
  })
}

const sources = publicPackages().flatMap(({ folder }) => globSync(`packages/${folder}/src/**/*.ts`, { cwd: root }))

/** A type whose name says that it is one of codes, and the page of the package that it belongs to. */
const CODES = /^export type (\w*(?:ErrorCode|RefusalReason|ReviewReason|Cause))\b/gm
const PAGES: Readonly<Record<string, string>> = {
  core: 'client',
  signing: 'signatures',
  ReviewReason: 'journal',
  SigningErrorCode: 'signing',
}

const pageOf = (file: string, name = '') => {
  const [, folder = ''] = file.split(/[\\/]/)
  return PAGES[name] ?? PAGES[folder] ?? folder
}

function codesOfTypes(): readonly string[] {
  const found = sources.flatMap((file) =>
    Array.from(textOf(file).matchAll(CODES), ([, name = '']) => ({ module: join(root, file), name })),
  )
  const events: readonly OptionsType[] = [
    { module: join(root, 'packages/journal/src/events.ts'), name: "JournalEvent['type']" },
  ]
  const types = [...found, ...events]
  return literalsOf(types).flatMap((codes, at) => {
    const { module = '', name = '' } = types[at] ?? {}
    expect({ name, codes }).toEqual({ name, codes: expect.arrayContaining([expect.any(String)]) })
    return codes.map((code) => `${pageOf(relative(root, module), name)} ${code}`)
  })
}

/** Of the events that `payments` has beside those of the journal. */
function codesOfPayments(): readonly string[] {
  const module = (name: string) => join(root, 'packages', name)
  const [all = [], journal = []] = literalsOf([
    { module: module('payments/src/options.ts'), name: "PaymentsEvent['type']" },
    { module: module('journal/src/events.ts'), name: "JournalEvent['type']" },
  ])
  return all.filter((code) => !journal.includes(code)).map((code) => `payments ${code}`)
}

/** Codes that are written where they are given: of a class of its own, of a warning, of an address. */
function codesInPlace(): readonly string[] {
  return sources.flatMap((file) => {
    const text = textOf(file)
    const own = Array.from(
      text.matchAll(/\bcode(?: = |: )'([A-Z]+(?:_[A-Z]+)+)'/g),
      ([, code]) => `${pageOf(file)} ${code}`,
    )
    const named = Array.from(text.matchAll(/\berrorUrl\('(\w+)', '([\w-]+)'\)/g), ([, page, code]) => `${page} ${code}`)
    return [...own, ...named]
  })
}

const exitCodes = Array.from(
  textOf('packages/cli/src/commands.ts').matchAll(/^ {6}\['(\d+)', '/gm),
  ([, code]) => `commands exit code ${code}`,
)
const known = new Set([
  ...codesOfTypes(),
  ...codesOfPayments(),
  ...codesInPlace(),
  ...Object.values(GATEWAY_CODES).map((code) => `gateway error-code ${code}`),
  ...exitCodes,
])

test('the codes are found', () => {
  for (const one of [
    'client NOT_SENT',
    'signing BAD_KEY',
    'signatures amount-in-units',
    'journal TOO_OLD',
    'payments WRONG_KEY',
  ])
    expect(known).toContain(one)
  for (const one of ['gateway IN_USE', 'gateway error-code 15', 'testing FAULT_SEED', 'commands exit code 74'])
    expect(known).toContain(one)
})

test('each code has a page, and each heading of a page is a code', () => {
  const headings = new Set(sections.map(({ page, title }) => `${page} ${title}`.toLowerCase().replaceAll(' ', '-')))
  const without = [...known].filter((code) => !headings.has(code.toLowerCase().replaceAll(' ', '-')))
  expect(without).toEqual([])
  expect([...documented].filter((code) => !known.has(code))).toEqual([])
})

test.for(sections.filter(isCode))(
  '$page, $title: says what it never means, what to do, and has an example',
  ({ text }) => {
    expect(text).toMatch(/\b(?:Never|ever) means\b/)
    expect(text).toMatch(/^- \*\*Do\*\*: \S/m)
    expect(text).toMatch(/^- \*\*Example\*\*.*: \S/m)
  },
)

test('the address of an error leads to its heading', () => {
  const astray = [...known].filter((code) => {
    const [page = '', ...words] = code.split(' ')
    return !anchorsOf(textOf(`docs/errors/${page}.md`)).has(words.join('-').toLowerCase())
  })
  expect(astray).toEqual([])
})

test('signing, which depends on nothing, names the same place', () => {
  expect(() => hmacKey('')).toThrow(expect.objectContaining({ url: `${ERRORS_URL}signing.html#bad_key` }))
})

const KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
/** What a section says before its example, if it is about another request than most. */
const REQUESTS: Readonly<Record<string, object>> = {
  ', of the amount 10.5': { fields: { amount: '10.5' } },
  ', of the amount 19.99': { fields: { amount: '19.99' } },
  ', without an e-mail address': { fields: { email: '' } },
  ', of a request to a group': { path: { kind: 'group', id: '1111', otherId: '2222' } },
}
const examples = sections.flatMap(({ page, title, text }) => {
  const [, request = '', signed = ''] = /^- \*\*Example\*\*(.*): `([^`]+)`$/m.exec(text) ?? []
  return page === 'signatures' && /1042|10\.42|5105|1998|merchantlogin902/.test(signed)
    ? [{ title, request, signed }]
    : []
})

test('there are examples of most causes of a wrong control', () => {
  expect(examples.length).toBeGreaterThanOrEqual(18)
})

test.for(examples)('$title: the doctor finds it in the example', ({ title, request, signed }) => {
  const changed = (REQUESTS[request] ?? {}) as { fields?: Record<string, string>; path?: object }
  const keys: Readonly<Record<string, string>> = {
    '[another key]': 'another key',
    '[key in lower case]': KEY.toLowerCase(),
    '[key and a newline]': `${KEY}\n`,
  }
  const text = signed.replace(/\[.+\]$/, (key) => keys[key] ?? KEY)
  const found = explainControl({
    formula: ['endpointId', 'clientOrderId', 'amountInCents', 'email'],
    otherFormulas: { STATUS: ['login', 'clientOrderId', 'orderId'] },
    rules: {
      endpointId: { reads: 'path' },
      clientOrderId: { reads: 'field', field: 'client_orderid' },
      amountInCents: { reads: 'amount', field: 'amount' },
    },
    fields: {
      client_orderid: '902B4FF5',
      amount: '10.42',
      email: 'john.smith@gmail.com',
      currency: 'USD',
      login: 'merchantlogin',
      ...changed.fields,
    },
    path: { kind: 'endpoint', id: '1111', otherId: '2222', ...changed.path },
    login: 'merchantlogin',
    key: KEY,
    otherKeys: ['another key'],
    control: createHash('sha1').update(text).digest('hex'),
  })
  expect(found).toMatchObject({ cause: title })
})
