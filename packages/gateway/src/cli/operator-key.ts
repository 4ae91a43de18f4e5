import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Secret } from '@tallystick/core'
import { keyBits } from '@tallystick/signing'
import { LEAST_KEY_BITS } from '../merchants/merchant.ts'
import { OPERATOR_KEY } from '../requests/operator-access.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { makeDurableFile } from './durable-file.ts'
import { requirePrivate } from './private-file.ts'
import { readNamed } from './read-named.ts'

/** In the folder of the configuration. */
export const OPERATOR_KEY_FILE = 'operator.key'

export interface OperatorKey {
  /** `undefined`: there is none, and nobody may send errands. */
  readonly key: Secret | undefined
  /** Where it is, for the log; or why there is none. */
  readonly place: string
}

export interface KeyPlaces {
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * The key of those who may have the running gateway do something: from the environment, or from a file that is made at the first
 * start. A command line would show it to every user of the machine.
 *
 * @param make a new key; absent: the file has to be there
 * @throws ConfigurationError if it is too short, or others may read its file
 */
export function operatorKeyOf(
  { operatorKeyFile }: Pick<Configuration, 'operatorKeyFile'>,
  { folder, environment }: KeyPlaces,
  make?: () => string,
): OperatorKey {
  const given = environment[OPERATOR_KEY]?.trim() ?? ''
  if (given !== '') return { key: strong(given, OPERATOR_KEY), place: OPERATOR_KEY }
  const name = operatorKeyFile ?? OPERATOR_KEY_FILE
  const file = resolve(folder, name)
  if (!existsSync(file)) {
    const problem = make === undefined ? 'does not exist' : problemOfMaking(file, make)
    if (problem !== undefined && operatorKeyFile === undefined) return { key: undefined, place: `${file} ${problem}` }
    if (problem !== undefined) throw new ConfigurationError(`operatorKeyFile: ${name} ${problem}`)
  }
  requirePrivate('operatorKeyFile', file)
  return { key: strong(readNamed('operatorKeyFile', file, folder).trim(), name), place: file }
}

function problemOfMaking(file: string, make: () => string): string | undefined {
  try {
    makeDurableFile(file, () => `${make()}\n`)
    return undefined
  } catch (error) {
    return `cannot be written (${(error as NodeJS.ErrnoException).code})`
  }
}

function strong(key: string, where: string): Secret {
  if (keyBits(key) >= LEAST_KEY_BITS && /^[\x21-\x7e]+$/.test(key)) return new Secret(key)
  throw new ConfigurationError(
    `${where}: is no operator key: it needs ${LEAST_KEY_BITS} bits, in ASCII; \`tallystick-gateway key\` makes one`,
  )
}
