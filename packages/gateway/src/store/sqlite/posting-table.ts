import type { Posting } from '../../ledger/postings.ts'
import { POSTING_INSERT, type PostingOperation } from '../sql/posting-rows.ts'
import type { Queries } from '../sql/tables.ts'
import type { Database } from './database.ts'
import { hotStatement, slotsOf } from './prepared-statement.ts'

/** The ledger. Runs within the transaction of the commit queue. */
export interface PostingTable {
  write(posting: Posting, operation: PostingOperation): void
}

export function postingTable(database: Database, queries: Queries): PostingTable {
  const insert = hotStatement(database, POSTING_INSERT, queries.insertInto('postings').values(slotsOf(POSTING_INSERT)))
  return { write: (posting, { seq, position }) => void insert.run({ posting, seq, position }) }
}
