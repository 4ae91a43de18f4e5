import { POSTING_INSERT } from '../sql/posting-rows.ts'
import { columns, rowsStatement } from './rows-statement.ts'

/** The ledger. */
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
  }
}
