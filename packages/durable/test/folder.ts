import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The path of a file in a folder of this test, which is removed at its end. */
export function ownFile(name = 'store.db'): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-durable-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, name)
}
