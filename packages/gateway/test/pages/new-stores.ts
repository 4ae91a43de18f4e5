import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { memoryStore } from '../../src/index.ts'
import { sqliteStore } from '../../src/sqlite.ts'
import type { Store } from '../../src/store-port.ts'
import { folderOf } from '../support/folder.ts'

/** Each kind of store by its name, for `describe.each`. A store is closed and removed when the test ends. */
export const NEW_STORES: ReadonlyArray<readonly [name: string, open: () => Store]> = [
  ['memory', memoryStore],
  [
    'SQLite',
    () => {
      const store = sqliteStore({ file: join(folderOf(), 'gateway.db') })
      onTestFinished(() => store.close())
      return store
    },
  ],
]
