import { readable, storable } from '../sql/storable-text.ts'
import type { Database, SqlRow, SqlValue, Statement } from './database.ts'

/** Prepares a statement that returns whole numbers exactly, and texts as they were written, whatever they hold. */
export function prepare(database: Database, sql: string): Pick<Statement, 'run' | 'get' | 'all'> {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return {
    run: (...values) => statement.run(...values.map(written)),
    get: (...values) => {
      const row = statement.get(...values.map(written))
      return row && read(row)
    },
    all: (...values) => statement.all(...values.map(written)).map(read),
  }
}

function written(value: SqlValue): SqlValue {
  return typeof value === 'string' ? storable(value) : value
}

/** Changes the row itself, which nothing else uses. */
function read(row: SqlRow): SqlRow {
  // Making a list of the columns would take longer than reading them.
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'string') row[name] = readable(value)
  }
  return row
}
