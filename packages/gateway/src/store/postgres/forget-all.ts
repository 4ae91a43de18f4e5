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

/** Deletes every row of what was written, and takes it that no time was ever seen. */
export function* forgetAll(schema: string): Work<void> {
  yield [
    { text: `TRUNCATE ${TABLES.map((name) => `${schema}.${name}`).join(', ')}` },
    { text: `UPDATE ${schema}.nonce_window SET forgotten_before = 0` },
  ]
  return { keep: true, result: undefined }
}
