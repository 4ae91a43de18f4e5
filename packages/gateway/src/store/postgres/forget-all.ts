import type { Work } from './transaction.ts'

const TABLES = [
  'orders',
  'operations',
  'postings',
  'deliveries',
  'tasks',
  'cards',
  'card_references',
  'recurring_payments',
  'nonces',
]

/** Deletes every row but those about the schema and its keys, and resets the nonce window. */
export function* forgetAll(schema: string): Work<void> {
  yield [
    { text: `TRUNCATE ${TABLES.map((name) => `${schema}.${name}`).join(', ')}` },
    { text: `UPDATE ${schema}.nonce_window SET forgotten_before = 0` },
  ]
  return { keep: true, result: undefined }
}
