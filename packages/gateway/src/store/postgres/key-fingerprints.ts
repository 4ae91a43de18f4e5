import type { KeyCheck } from '../key-checks.ts'
import type { KeyNotes } from '../key-fingerprints.ts'
import { isKeyInUse, notedKeys } from '../sql/key-queries.ts'
import type { Queries } from '../sql/tables.ts'
import { type AskTools, ask } from './query.ts'
import { columns, rowsStatement } from './rows-statement.ts'

export interface KeyNotesTools extends AskTools {
  readonly schema: string
  readonly queries: Queries
}

export function keyNotesOf({ schema, queries, ...tools }: KeyNotesTools): KeyNotes {
  const write = rowsStatement<KeyCheck>({
    name: 'note_keys',
    columns: columns('text', 'key_name', 'check_value'),
    readers: { key_name: ({ name }) => name, check_value: ({ value }) => value },
    text: (rows, names) => `INSERT INTO ${schema}.key_checks (${names}) SELECT ${names} FROM ${rows}
      ON CONFLICT DO NOTHING`,
  })
  return {
    note: async (checks) => {
      if (checks.length > 0) await ask(write(checks), tools)
      return await notedKeys(queries)
    },
    isInUse: (keyId) => isKeyInUse(queries, keyId),
  }
}
