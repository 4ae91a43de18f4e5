import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Draft } from '../src/draft.ts'
import { LANGUAGES, snippetOf } from '../src/snippets.ts'

const draft: Draft = {
  operation: 'sale',
  url: 'http://127.0.0.1:8080/paynet/api/v2/sale/1',
  endpoint: { id: '1', isGroup: false },
  login: 'test',
  baseUrl: 'http://127.0.0.1:8080/paynet',
  brand: {},
  fields: [
    { name: 'client_orderid', field: 'clientOrderId', value: "inv-'7'" },
    { name: 'amount', field: 'amount', value: '10.42' },
    { name: 'email', field: 'email', value: 'a+b@example.com' },
    { name: 'shop_note', value: 'it\'s "$HOME" \\ é' },
  ],
  signature: {
    scheme: 'control',
    terms: [
      { term: 'endpointId', text: '1' },
      { term: 'clientOrderId', text: "inv-'7'" },
      { term: 'amountInCents', text: '1042' },
      { term: 'email', text: 'a+b@example.com' },
    ],
  },
  notes: [],
}
const oauth = (scheme: 'HMAC-SHA1' | 'RSA-SHA256'): Draft => ({
  ...draft,
  operation: 'payout',
  signature: { scheme, url: draft.url },
})
const KEY = 'B17F59B4-A7DC-41B4'

/** What a shell makes of the command, with a function in place of curl that prints what it was given. */
function printedBy(code: string): readonly string[] {
  const fake = `curl() { for each in "$@"; do printf '%s\\n' "$each"; done; }`
  const env = { ...process.env, TALLYSTICK_CONTROL_KEY: KEY }
  return execFileSync('sh', ['-c', `${fake}\n${code}`], { env })
    .toString()
    .split('\n')
    .slice(0, -1)
}

test('[F-E31] curl sends the fields as they are, with the control of the terms and the key', () => {
  const { code = '' } = snippetOf('curl', draft, 0) ?? {}
  expect(printedBy(code)).toEqual([
    'http://127.0.0.1:8080/paynet/api/v2/sale/1',
    '-H',
    'Accept: application/vnd.pay+json',
    '--data-urlencode',
    "client_orderid=inv-'7'",
    '--data-urlencode',
    'amount=10.42',
    '--data-urlencode',
    'email=a+b@example.com',
    '--data-urlencode',
    'shop_note=it\'s "$HOME" \\ é',
    '--data',
    `control=${createHash('sha1').update(`1inv-'7'1042a+b@example.com${KEY}`).digest('hex')}`,
  ])
})

test('[F-E31] a term that is a field is taken from it, and any other is a text', () => {
  const terms = (code = '') => code.split('\n').find((line) => /sha1\(|^text =/.test(line))
  expect(terms(snippetOf('PHP', draft, 0)?.code)).toBe(
    "$fields['control'] = sha1('1' . $fields['client_orderid'] . '1042' . $fields['email'] . getenv('TALLYSTICK_CONTROL_KEY'));",
  )
  expect(terms(snippetOf('Python', draft, 0)?.code)).toBe(
    'text = "1" + fields["client_orderid"] + "1042" + fields["email"] + os.environ["TALLYSTICK_CONTROL_KEY"]',
  )
})

test('[F-E31] TypeScript has the fields by their names in the client, and what is not documented apart', () => {
  const { code } = snippetOf('TypeScript', { ...draft, brand: { exponents: 'iso-4217' } }, 0) ?? {}
  expect(code).toBe(`import { createPaymentClient } from '@tallystick/client'
import { defineProfile } from '@tallystick/core'

const client = createPaymentClient({
  profile: defineProfile({ baseUrl: 'http://127.0.0.1:8080/paynet', exponents: "iso-4217" }),
  login: 'test',
  endpointId: '1',
  controlKey: process.env['TALLYSTICK_CONTROL_KEY'] ?? '',
})

const result = await client.sale({
  clientOrderId: 'inv-\\'7\\'',
  amount: '10.42',
  email: 'a+b@example.com',
  extra: {
    'shop_note': 'it\\'s "$HOME" \\\\ é',
  },
})
console.log(result)
await client.close()
`)
})

test.for(LANGUAGES)('[F-E31] %s signs by OAuth with the time of a clock that was advanced', (language) => {
  const day = 86_400
  expect(snippetOf(language, oauth('HMAC-SHA1'), day)?.code).toMatch(/86400|86_?400_?000/)
  for (const ahead of [0, 30, -30]) {
    expect(snippetOf(language, oauth('RSA-SHA256'), ahead)?.code).not.toContain("the sandbox's clock")
  }
  expect(snippetOf(language, draft, day)?.code).not.toMatch(/86400/)
})

test.for(LANGUAGES)('[F-E31] %s says where the key is to be, and has none if there is nothing to sign', (language) => {
  expect(snippetOf(language, draft, 0)?.code).toContain('TALLYSTICK_CONTROL_KEY')
  expect(snippetOf(language, oauth('RSA-SHA256'), 0)?.needs).toContain('TALLYSTICK_PRIVATE_KEY_FILE')
  const { signature: _, ...unsigned } = draft
  expect(snippetOf(language, unsigned, 0)).toBeUndefined()
})
