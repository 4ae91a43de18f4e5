import { statSync } from 'node:fs'
import { ConfigurationError } from './configuration-error.ts'

/** Who besides its owner may do something with a file. */
export interface Openness {
  readonly mode: string
  readonly isReadByGroup: boolean
  readonly isReadByOthers: boolean
  readonly isWrittenByOthers: boolean
}

/** Windows has no such bits: its access lists are not looked at. A file that is not there is open to nobody. */
export function opennessOf(file: string): Openness | undefined {
  const mode = process.platform === 'win32' ? undefined : statSync(file, { throwIfNoEntry: false })?.mode
  if (mode === undefined) return undefined
  return {
    mode: (mode & 0o777).toString(8).padStart(4, '0'),
    isReadByGroup: (mode & 0o040) !== 0,
    isReadByOthers: (mode & 0o004) !== 0,
    isWrittenByOthers: (mode & 0o022) !== 0,
  }
}

/**
 * Refuses a file of keys that every user of the machine may read, or that others may write. Its group may read it: that is how
 * orchestrators give a container its secrets.
 *
 * @throws ConfigurationError that names the setting, and says what to do
 */
export function requirePrivate(setting: string, file: string): void {
  const open = opennessOf(file)
  if (open === undefined || !(open.isReadByOthers || open.isWrittenByOthers)) return
  const may = open.isWrittenByOthers ? 'others may write it' : 'every user of this machine may read it'
  throw new ConfigurationError(`${setting}: ${file} has mode ${open.mode}, so ${may}: chmod 600 ${file}`)
}
