import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SqliteStoreOptions, sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Opened } from './suite.ts'

/** A database file in a folder of its own. */
export function sqliteFile() {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-store-'))
  const file = join(folder, 'gateway.db')
  const remove = () => rmSync(folder, { recursive: true })
  return {
    folder,
    file,
    remove,
    /** Opens the store in the file. `end` removes the file. */
    open: (options: Omit<SqliteStoreOptions, 'file'> = {}): Opened => {
      let store = sqliteStore({ file, ...options })
      return {
        store,
        again: async () => {
          await store.close()
          store = sqliteStore({ file, ...options })
          return store
        },
        end: async () => {
          await store.close()
          remove()
        },
      }
    },
  }
}
