import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

/** One stored value, and the column that it is in. */
export interface Cell {
  readonly column: string
  readonly text: string
}

/** Everything that a SQLite file and its log hold. A copy is read, because its gateway has the file for itself. */
export function sqliteCells(file: string): readonly Cell[] {
  const folder = mkdtempSync(join(tmpdir(), 'cells-'))
  try {
    cpSync(dirname(file), folder, { recursive: true })
    return readCells(join(folder, basename(file)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readCells(file: string): readonly Cell[] {
  const database = new DatabaseSync(file)
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    return tables.flatMap(({ name }) => {
      const statement = database.prepare(`SELECT * FROM "${String(name)}"`)
      statement.setReadBigInts(true)
      return statement.all().flatMap(cellsOf)
    })
  } finally {
    database.close()
  }
}

const TABLES = `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
  WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`

/** Everything that a PostgreSQL database holds, in every schema, including that of the jobs. */
export async function postgresCells(connectionString: string): Promise<readonly Cell[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const cells: Cell[] = []
    for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
      const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM ${name}`)
      cells.push(...rows.flatMap(cellsOf))
    }
    return cells
  } finally {
    await client.end()
  }
}

function cellsOf(row: Readonly<Record<string, unknown>>): readonly Cell[] {
  return Object.entries(row).map(([column, value]) => ({ column, text: textOf(value) }))
}

/** Bytes unchanged, in the one encoding that has a character for each. */
function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A line for each value: in the file itself they stand side by side, and two of them may look like a third. */
export function linesOf(cells: readonly Cell[]): Buffer {
  return Buffer.from(cells.map(({ text }) => `${text}\n`).join(''), 'latin1')
}
