import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SqliteStoreOptions, sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Opened } from './suite.ts'

/** A file of its own folder. */
export function sqliteFile() {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-store-'))
  const file = join(folder, 'gateway.db')
  const remove = () => rmSync(folder, { recursive: true })
  return {
    folder,
    file,
    remove,
    /** The store in it, which is removed at its end. */
    open: (options: SqliteStoreOptions = {}): Opened => {
      let store = sqliteStore(file, options)
      return {
        store,
        again: async () => {
          await store.close()
          store = sqliteStore(file, options)
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
