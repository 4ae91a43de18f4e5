import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Everything that a SQLite file and its log hold, a line for each value: in the file itself values stand side by side,
 * and two of them may look like a third. A copy is read, because its gateway has the file for itself.
 */
export function storedCells(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cells-'))
  try {
    cpSync(dirname(file), folder, { recursive: true })
    return readCells(join(folder, basename(file)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readCells(file: string): string {
  const database = new DatabaseSync(file)
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return tables.flatMap(({ name }) => cellsOf(database, String(name))).join('\n')
  } finally {
    database.close()
  }
}

function cellsOf(database: DatabaseSync, table: string): string[] {
  const statement = database.prepare(`SELECT * FROM "${table}"`)
  statement.setReadBigInts(true)
  return statement.all().flatMap((row) => Object.values(row).map(textOf))
}

/** Bytes as they are, in the one encoding that has a character for each. */
function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
}
