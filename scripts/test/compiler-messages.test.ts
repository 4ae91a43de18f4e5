import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operationKeys } from '../../packages/core/src/index.ts'
import { isJournaled } from '../../packages/journal/src/intents/operation-facts.ts'
import { createSampleFolder } from '../readme/sample-folder.ts'
import { root, scratch } from '../workspace.ts'

/** A mistake, the line that has it, and what the compiler says there. */
interface Mistake {
  readonly name: string
  readonly code: string
  readonly says: string
  /** What TypeScript 5.9 says, where it says it in other words. */
  readonly says5?: string
}

const PRELUDE = `import type { PaymentOrder, Payments } from '@tallystick/payments'
import { createPayments } from '@tallystick/payments'
import { postgresJournalStore } from '@tallystick/journal/postgres'
import type { ReturnInput, SaleFormInput } from '@tallystick/core'
import pg from 'pg'
declare const payments: Payments, order: PaymentOrder, form: Omit<SaleFormInput, 'clientOrderId'>
declare const gateway: { baseUrl: string, login: string, controlKey: string, endpointId: string }
declare const customer: PaymentOrder['customer'], pool: pg.Pool
const onPaid = () => {}, onNotice = 'ignore', shopUrl = 'https://shop.example.com', database = 'shop.db'
export const used = [createPayments, postgresJournalStore, payments, order, form, gateway, customer, pool, onPaid, onNotice, shopUrl, database]
export type Used = ReturnInput
`

/** The compiler's list is written by hand: an operation that it lacks fails here. */
const OPERATIONS = operationKeys.filter(isJournaled).join(' ')

const mistakes: readonly Mistake[] = [
  {
    name: 'a number as the amount',
    code: "payments.pay('invoice 77', { amount: 10.42, currency: 'EUR', description: 'Tea', customer })",
    says: "Type 'number' is not assignable to type 'AmountText'.\n  Type 'number' is not assignable to type 'string'.",
  },
  {
    name: 'a number as the amount of an operation',
    code: "payments.journal.pay('refund 1', 'return', { clientOrderId: 'a', orderId: '1', comment: 'broken', amount: 1 })",
    says: "Type 'number' is not assignable to type 'AmountText'.\n  Type 'number' is not assignable to type 'string'.",
  },
  {
    name: 'an amount without its currency',
    code: "payments.pay('invoice 77', { amount: '10.42', description: 'Tea', customer })",
    says: "Property 'currency' is missing in type '{ amount: string; description: string; customer: Customer; }' but required in type 'PaymentOrder'.",
    says5:
      "Argument of type '{ amount: string; description: string; customer: Customer; }' is not assignable to parameter of type 'PaymentOrder'.\n" +
      "  Property 'currency' is missing in type '{ amount: string; description: string; customer: Customer; }' but required in type 'PaymentOrder'.",
  },
  {
    name: 'an operation that does not exist',
    code: "payments.journal.pay('invoice 77', 'salesForm', form)",
    says: `Argument of type 'Omit<SaleFormInput, "clientOrderId">' is not assignable to parameter of type '"salesForm is none of: ${OPERATIONS}"'.`,
  },
  {
    name: 'a client order id for the journal',
    code: "payments.journal.pay('invoice 77', 'saleForm', { ...form, clientOrderId: 'a' })",
    says: `Type '"a"' is not assignable to type '"The journal makes it: leave it out. Your own name for the payment is the business key."'.`,
  },
  {
    name: 'a misspelt field of the order',
    code: "payments.pay('invoice 77', { ...order, decription: 'Tea' })",
    says: "Object literal may only specify known properties, but 'decription' does not exist in type 'PaymentOrder'. Did you mean to write 'description'?",
  },
  {
    name: 'a misspelt field of an operation',
    code: "payments.client.saleForm({ ...form, clientOrderId: 'a', orderDescr: 'Tea' })",
    says: "Object literal may only specify known properties, but 'orderDescr' does not exist in type 'SaleFormInput'. Did you mean to write 'orderDesc'?",
  },
  {
    name: 'a misspelt option',
    code: "createPayments({ gateway, database, onPaid, onNotice, shopURL: 'https://shop.example.com' })",
    says: "Object literal may only specify known properties, but 'shopURL' does not exist in type 'PaymentsOptions<DatabaseSync>'. Did you mean to write 'shopUrl'?",
  },
  {
    name: 'onNotice left out',
    code: 'createPayments({ gateway, database, shopUrl, onPaid })',
    says: "Property 'onNotice' is missing in type '{ gateway: { baseUrl: string; login: string; controlKey: string; endpointId: string; }; database: string; shopUrl: string; onPaid: () => void; }' but required in type 'PaymentsOptions<DatabaseSync>'.",
    says5:
      "Argument of type '{ gateway: { baseUrl: string; login: string; controlKey: string; endpointId: string; }; database: string; shopUrl: string; onPaid: () => void; }' is not assignable to parameter of type 'PaymentsOptions<DatabaseSync>'.\n" +
      "  Property 'onNotice' is missing in type '{ gateway: { baseUrl: string; login: string; controlKey: string; endpointId: string; }; database: string; shopUrl: string; onPaid: () => void; }' but required in type 'PaymentsOptions<DatabaseSync>'.",
  },
  {
    name: "a card number in a form's input",
    code: "payments.client.saleForm({ ...form, clientOrderId: 'a', cardNumber: '4444555566661111' })",
    says: "Object literal may only specify known properties, and 'cardNumber' does not exist in type 'SaleFormInput'.",
  },
  {
    name: 'a card number in an order',
    code: "payments.pay('invoice 77', { ...order, cardNumber: '4444555566661111' })",
    says: "Object literal may only specify known properties, and 'cardNumber' does not exist in type 'PaymentOrder'.",
  },
  {
    name: 'await forgotten',
    code: "const paid = payments.pay('invoice 77', order); console.log(paid.show)",
    says: "Property 'show' does not exist on type 'Promise<ShownPayment>'.\nDid you forget to use 'await'?",
  },
  {
    name: 'a pool in the place of a store',
    code: 'createPayments({ gateway, shopUrl, onPaid, onNotice, database: pool })',
    says: "Type 'Pool' is not assignable to type 'JournalStore<DatabaseSync> | SqliteFile'.",
    says5: "Type 'Pool' is not assignable to type 'SqliteFile | JournalStore<DatabaseSync>'.",
  },
  {
    name: 'the transaction of another library in onPaid',
    code: "createPayments({ gateway, shopUrl, onNotice, database: postgresJournalStore({ pool }), onPaid: ({ transaction }) => void transaction.prepare('insert') })",
    says: "Property 'prepare' does not exist on type 'PoolClient'.",
  },
  {
    name: 'the address of a payment that may have no form',
    code: "async function redirect(): Promise<string> { return (await payments.pay('invoice 77', order)).location }; console.log(redirect)",
    says: "Type 'string | undefined' is not assignable to type 'string'.\n  Type 'undefined' is not assignable to type 'string'.",
  },
]

const right = `
const result = await payments.journal.pay('invoice 77', 'saleForm', form)
if (result.error) console.log(result.error.message)
const sent = await payments.client.saleForm({ ...form, clientOrderId: 'a' })
if (sent.error) console.log(sent.error.message)
const refund: ReturnInput = { clientOrderId: 'a', orderId: '1', comment: 'broken' }
await payments.journal.pay('refund 1', 'return', refund)
const amount: string = order.amount
console.log(amount)
`

const compilers = {
  7: join(root, 'node_modules/typescript/bin/tsc'),
  5.9: join(root, 'scripts/node_modules/typescript-5/bin/tsc'),
}

describe.for(Object.entries(compilers))('TypeScript %s', ([version, compiler]) => {
  const folder = join(scratch, `compiler-messages-${version}`)
  const said = messagesOf(compiler, folder)

  test.for(mistakes.map((mistake, at) => [mistake.name, mistake, at] as const))(
    '[F-C24] says of %s what to write',
    ([, mistake, at]) => {
      const { says, says5 = says } = mistake
      expect(said.get(`mistake-${at}.ts`)).toEqual([version === '5.9' ? says5 : says])
    },
  )

  test('says nothing of what is right', () => {
    expect([said.size, said.get('right.ts')]).toEqual([mistakes.length, undefined])
  })
})

/** What a compiler says of each file, with its hints, as a user of the built packages would read it. */
function messagesOf(compiler: string, folder: string): ReadonlyMap<string, readonly string[]> {
  createSampleFolder(folder)
  for (const [at, { code }] of mistakes.entries())
    writeFileSync(join(folder, `mistake-${at}.ts`), `${PRELUDE}${code}\n`)
  writeFileSync(join(folder, 'right.ts'), PRELUDE + right)
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'true'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const said = new Map<string, string[]>()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a compiler that prints for people prints colours
  const report = stdout.replaceAll(/\x1b\[\d*m/g, '')
  for (const block of report.split(/^(?=\S+\.ts:\d+:\d+ - error)/m)) {
    const [, file = '', message = ''] = /^(\S+\.ts):\d+:\d+ - error TS\d+: (.*?)\n\n/s.exec(block) ?? []
    if (file === '') continue
    const hints = Array.from(block.matchAll(/^ +(?:\S+ - )?(Did you .*)$/gm), ([, hint]) => hint)
    said.set(file, [...(said.get(file) ?? []), [message, ...hints].join('\n')])
  }
  return said
}
