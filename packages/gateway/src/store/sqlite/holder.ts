import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { StoreError } from '../store-error.ts'

/**
 * Who holds the file, for the message that another process gets. The lock itself is the system's, on the database: it ends
 * with the process, and what is left here of a killed one means nothing.
 */
export interface Holder {
  /** @throws StoreError when it cannot be written */
  write(): void
  remove(): void
}

export function holderOf(file: string): Holder {
  const name = nameOf(file)
  return {
    write: () => {
      try {
        writeFileSync(name, `${process.pid}\n`)
      } catch {
        throw new StoreError('UNWRITABLE', `${name} cannot be written to`)
      }
    },
    remove: () => rmSync(name, { force: true }),
  }
}

/** ` (pid 4711)`, or nothing where the holder has not written it. */
export function describeHolder(file: string): string {
  try {
    return ` (pid ${Number(readFileSync(nameOf(file), 'utf8'))})`
  } catch {
    return ''
  }
}

function nameOf(file: string): string {
  return `${file}.pid`
}
