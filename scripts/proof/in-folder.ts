import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Does the work with a temporary folder, and removes the folder afterwards. */
export async function inFolder<Result>(
  name: string,
  work: (folder: string) => Promise<Result>,
  parent = tmpdir(),
): Promise<Result> {
  const folder = mkdtempSync(join(parent, `${name}-`))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
