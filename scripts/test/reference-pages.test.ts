import { createHash, createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { catalogue, operationKeys } from '../../packages/core/src/index.ts'
import { ROW_OPERATIONS } from '../../packages/core/src/internal.ts'
import { replyValues } from '../../packages/testing/src/index.ts'
import { referencePages } from '../reference-docs/reference-pages.ts'
import { TYPE_OF } from '../reference-docs/reply-types.ts'
import { root } from '../workspace.ts'

const folder = join(root, 'docs/reference')
const pages = referencePages()

/** The text under a heading of a page. */
function section(file: string, heading: string): string {
  const [, rest = ''] = (pages.get(file) ?? '').split(`\n## ${heading}\n\n`)
  return rest.split('\n## ')[0] ?? ''
}

describe('docs/reference', () => {
  test('matches the catalogue (rewrite it with `pnpm docs:reference`)', () => {
    const written = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const)
    expect(new Map(written)).toEqual(pages)
  })

  test('has each operation on one page, and in the index', () => {
    const headings = [...pages].flatMap(([file, text]) =>
      Array.from(text.matchAll(/^## ([a-z]\w+)$/gm), ([, key = '']) => ({ key, file })),
    )
    expect(new Set(headings.map(({ key }) => key))).toEqual(new Set(operationKeys))
    expect(headings).toHaveLength(operationKeys.length)
    for (const { key, file } of headings) {
      expect(pages.get('README.md')).toContain(`| [\`${key}\`](${file}#${key.toLowerCase()}) |`)
    }
  })

  test('has the address, the formula, the fields and the reply of an operation', () => {
    expect(section('payments.md', 'capture')).toBe(`Takes funds that a preauth holds, all or a part.

- Method of the client: \`client.capture(input)\`
- Address: \`POST /api/v2/capture/{endpointId}\`, \`POST /api/v2/capture/group/{endpointGroupId}\`
- Signature: control, the SHA-1 of \`login + client_orderid + orderid + amount + currency + key\`
- Effect: \`moves-money\`
- Schemas: \`CaptureRequest\`, answered by [\`AsyncResponse\`](replies.md#asyncresponse)
- Name in the specification: \`CAPTURE\`

| Field | Sent as | Required | Meaning | Value | Source |
| --- | --- | --- | --- | --- | --- |
| \`login\` | \`login\` | yes; our client adds it | The merchant's login; also the OAuth consumer key. | text of 1 to 20 characters, all printable | interface 2 |
| \`clientOrderId\` | \`client_orderid\` | yes | The merchant's own id of the order. | text of 1 to 128 characters, all printable | interface 2 |
| \`orderId\` | \`orderid\` | yes | The gateway's own id of the order. | an id of at most 20 letters, digits, - or _ | interface 2 |
| \`amount\` | \`amount\` | with currency, for a part | The amount in major units with a dot: "10.42" is ten and forty-two hundredths. | a decimal text above zero in major units, such as "10.42", of at most 10 characters | interface 2 |
| \`currency\` | \`currency\` | with amount, for a part | The currency by its ISO 4217 letters. | three capital letters (ISO 4217), such as "EUR" | interface 2 |
`)
  })

  test('lists the addresses of an operation that is signed in two ways, each with its way', () => {
    expect(section('payouts.md', 'payoutForm').split('\n').slice(3, 7)).toEqual([
      '- Address: `POST /api/v2/payout-form/{endpointId}`, `POST /api/v2/payout-form/group/{endpointGroupId}`',
      '- Signature: OAuth 1.0a with HMAC-SHA1',
      '- Address: `POST /api/v4/payout-form/{endpointId}`, `POST /api/v4/payout-form/group/{endpointGroupId}`',
      '- Signature: OAuth 1.0a with RSA-SHA256',
    ])
  })

  test('repeats no long table, but says what differs', () => {
    expect(section('payments.md', 'preauth')).toMatch(/^The fields are those of \[sale\]\(#sale\)\.$/m)
    expect(section('payments.md', 'accountVerification')).toContain(
      'The fields are those of [sale](#sale), without `amount`, `currency`, `dapiImei`. These are new or differ:',
    )
  })

  test('has every reply with the operations that it answers', () => {
    expect(section('replies.md', 'CardRefAsyncResponse')).toContain('Answers `createCardRef`.')
    expect(section('replies.md', 'ValidationErrorResponse')).toContain('nothing was created. Answers any operation.')
  })

  test('says what a reply means that lacks a field which the client always has', () => {
    expect(section('replies.md', 'StatusResponse')).toContain('| `status` | `status` | no: then it is `processing` |')
    expect(section('replies.md', 'AsyncResponse')).toContain('| `orderId` | `paynet-order-id` | yes |')
  })
  test('has the type of every reply', () => {
    const singles = operationKeys.filter((key) => !Object.hasOwn(ROW_OPERATIONS, key))
    for (const key of singles) expect(TYPE_OF[catalogue[key].reply.name]).toBe(replyValues(key).type)
    expect(replyValues('updateRecurringPayments').type).toBe(replyValues('updateRecurringPayment').type)
    expect(section('replies.md', 'AsyncCheckoutFormRedirect')).toContain('Its `type` is `async-form-response`.')
  })

  test('has the parameters of a callback', () => {
    expect(section('callbacks.md', 'Callback')).toContain(
      '| `clientOrderId` | `client_orderid`, `merchant_order` | yes |',
    )
  })

  test('has controls that are the SHA-1 of the text beside them', () => {
    const examples = [...section('signatures.md', 'Control').matchAll(/'(.+)' \| openssl dgst -sha1\n# (.+)/g)]
    expect(examples).toHaveLength(2)
    for (const [, text = '', control] of examples) expect(createHash('sha1').update(text).digest('hex')).toBe(control)
  })

  test('has an OAuth signature that its base string has', () => {
    const [, base = '', key = '', signature] =
      /'(POST.+)' \|\n.+-hmac '(.+)' -binary.+\n# (.+)/.exec(section('signatures.md', 'OAuth 1.0a')) ?? []
    expect(createHmac('sha1', key).update(base).digest('base64')).toBe(signature)
  })
})
