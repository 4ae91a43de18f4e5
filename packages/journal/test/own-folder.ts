import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A folder for each test of a file, gone when it ends. Gives the path of what is in it. */
export function ownFolder(): (...names: readonly string[]) => string {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'journal-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  return (...names) => join(folder, ...names)
}
