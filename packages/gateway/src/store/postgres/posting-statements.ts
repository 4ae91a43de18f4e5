import { RECORD_INSERT } from '../sql/cold-queries.ts'
import { POSTING_INSERT } from '../sql/posting-rows.ts'
import { columns, rowsStatement } from './rows-statement.ts'

/** The ledger, and what persons had done. */
export function postingStatements(schema: string) {
  return {
    insertPostings: rowsStatement({
      name: 'insert_postings',
      columns: {
        ...columns('bigint', 'order_seq', 'position', 'amount', 'at'),
        ...columns('text', 'account', 'currency'),
      },
      readers: POSTING_INSERT,
      text: (rows, names) => `INSERT INTO ${schema}.postings (${names}) SELECT ${names} FROM ${rows}`,
    }),
    insertRecords: rowsStatement({
      name: 'insert_records',
      columns: {
        ...columns('bigint', 'at'),
        ...columns('text', 'who', 'origin', 'act', 'subject', 'order_id', 'state_before', 'state_after', 'reason'),
      },
      readers: RECORD_INSERT,
      text: (rows, names) => `INSERT INTO ${schema}.operator_records (${names}) SELECT ${names} FROM ${rows}`,
    }),
  }
}
