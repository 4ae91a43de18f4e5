import type { KeyCheck } from '../key-checks.ts'
import type { KeyNotes } from '../key-fingerprints.ts'
import { isKeyInUse, notedKeys } from '../sql/key-queries.ts'
import type { Readers } from '../sql/readers.ts'
import type { Queries } from '../sql/tables.ts'
import type { CommitQueue } from './commit-queue.ts'
import type { Database } from './database.ts'
import { hotStatement, slotsOf } from './prepared-statement.ts'

const KEY_CHECK = { key_name: ({ name }) => name, check_value: ({ value }) => value } satisfies Readers<KeyCheck>

export function keyNotesOf(database: Database, queries: Queries, queue: CommitQueue): KeyNotes {
  const write = hotStatement(
    database,
    KEY_CHECK,
    queries
      .insertInto('key_checks')
      .values(slotsOf(KEY_CHECK))
      .onConflict((conflict) => conflict.doNothing()),
  )
  return {
    note: async (checks) => {
      if (checks.length > 0) await queue.run(() => void checks.map((check) => write.run(check)))
      return await notedKeys(queries)
    },
    isInUse: (keyId) => isKeyInUse(queries, keyId),
  }
}
