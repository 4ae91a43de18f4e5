import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Does the work with a temporary folder, and removes the folder afterwards. What this process and its children write from then on
 * is for their user alone: the stores warn of files of payments that others may read.
 */
export async function inFolder<Result>(
  name: string,
  work: (folder: string) => Promise<Result>,
  parent = tmpdir(),
): Promise<Result> {
  process.umask(0o077)
  const folder = mkdtempSync(join(parent, `${name}-`))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
