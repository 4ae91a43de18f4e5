import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Channel } from './secret-scan.ts'
import { pagesIn, type Seen, writtenIn } from './stored-pages.ts'

/**
 * One reading of a file of SQLite, which may be read several times. Digits of a CVV are searched for where they were
 * written: {@link writtenIn}.
 */
export interface FileRead {
  readonly path: string
  readonly when: string
  readonly bytes: Buffer
}

export function readNow(path: string, when: string): FileRead {
  return { path, when, bytes: readFileSync(path) }
}

/** @param reads in order of time, each database before its log */
export function fileChannels(reads: readonly FileRead[]): readonly Channel[] {
  const seen: Seen = new Map()
  return reads.map(({ path, when, bytes }) => {
    const name = `${basename(path)} ${when}`
    const pages = pagesIn(path, bytes)
    return pages === undefined ? { name, bytes } : { name, bytes, written: writtenIn(bytes, pages, seen) }
  })
}
