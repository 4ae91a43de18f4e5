import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { textOfFile } from '@tallystick/signing'
import { ConfigurationError } from './configuration-error.ts'

/**
 * The text of a file that a setting names.
 *
 * @throws ConfigurationError that names the setting
 */
export function readNamed(setting: string, file = '', folder: string): string {
  try {
    return textOfFile(readFileSync(resolve(folder, file)))
  } catch (error) {
    throw new ConfigurationError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
