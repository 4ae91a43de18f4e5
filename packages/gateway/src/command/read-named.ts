import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigurationError } from './configuration-error.ts'

/**
 * The text of a file that a setting names.
 *
 * @throws ConfigurationError that names the setting
 */
export function readNamed(setting: string, file = '', folder: string): string {
  try {
    return readFileSync(resolve(folder, file), 'utf8')
  } catch (error) {
    throw new ConfigurationError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
