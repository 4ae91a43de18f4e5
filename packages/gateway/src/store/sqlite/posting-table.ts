import type { Posting } from '../../ledger/postings.ts'
import type { Database } from './database.ts'
import type { Queries } from './dialect.ts'
import { hotStatement, type Readers, slots } from './hot-statement.ts'

/** What a posting belongs to. */
interface PostingOperation {
  readonly seq: number
  readonly position: number
}

/** The ledger. Runs within the transaction of the commit queue. */
export interface PostingTable {
  write(posting: Posting, operation: PostingOperation): void
}

interface PostingInsert extends PostingOperation {
  readonly posting: Posting
}

const POSTING_INSERT: Readers<PostingInsert> = {
  order_seq: ({ seq }) => seq,
  position: ({ position }) => position,
  account: ({ posting }) => posting.account,
  amount: ({ posting }) => posting.amount,
  currency: ({ posting }) => posting.currency,
  at: ({ posting }) => posting.at,
}

export function postingTable(database: Database, queries: Queries): PostingTable {
  const insert = hotStatement(
    database,
    POSTING_INSERT,
    queries.insertInto('postings').values(slots(['order_seq', 'position', 'account', 'amount', 'currency', 'at'])),
  )
  return { write: (posting, { seq, position }) => void insert.run({ posting, seq, position }) }
}
