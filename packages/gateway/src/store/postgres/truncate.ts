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
  'forgotten_nonces',
]

/** Deletes every row but those about the schema and its keys. */
export function* forgetAll(schema: string): Work<void> {
  yield [{ text: `TRUNCATE ${TABLES.map((name) => `${schema}.${name}`).join(', ')}` }]
  return { keep: true, result: undefined }
}
