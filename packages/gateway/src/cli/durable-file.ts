import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { randomIds } from '../runtime/system.ts'

/**
 * Makes a file that only its owner may read, unless one of this name exists. When this returns the file and its name are on
 * the disk, and nobody ever reads half of it: what is sealed under a key must not outlive the key.
 */
export function makeDurableFile(file: string, text: () => string): void {
  if (existsSync(file)) return
  // Nobody can guess the name, and `wx` follows no link that lies in wait there.
  const draft = `${file}.${randomIds.serialNumber()}.new`
  try {
    writeThrough(draft, text())
    nameUnlessTaken(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(file))
}

/** Another process may have made the file first. */
function nameUnlessTaken(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function writeThrough(file: string, text: string): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Windows cannot open folders, and writes names through without being asked. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
