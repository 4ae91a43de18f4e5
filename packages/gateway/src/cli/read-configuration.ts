import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { suggestName } from '@tallystick/core/internal'
import { textOfFile } from '@tallystick/signing/internal'
import * as z from 'zod'
import { pooledRandomness } from '../runtime/system.ts'
import { StoreError } from '../store/store-error.ts'
import { newVaultKeys } from '../vault/keys.ts'
import { Configuration } from './configuration.ts'
import { type LogOutput, logOutput, standardStream } from './log-output.ts'

/** @throws ConfigurationError that names each wrong setting, and quotes none: keys are among them */
export function parseConfiguration(text: string, file: string): Configuration {
  const read = Configuration.safeParse(parseJson(text, file), { error: problemOf })
  if (read.success) return read.data
  const lines = read.error.issues.map(({ path, message }) => `  ${pathText(path) || 'the file'}: ${message}`)
  throw new ConfigurationError(`${file} is not a configuration:\n${lines.join('\n')}`)
}

/** Missing and unknown settings get the same messages as options elsewhere. For the rest the schema's messages stand. */
function problemOf({ input, code, keys, inst: schema }: z.core.$ZodRawIssue): string | undefined {
  if (input === undefined) return 'must be given'
  if (code !== 'unrecognized_keys' || !(schema instanceof z.ZodObject)) return undefined
  const known = Object.keys(schema.shape)
  return keys.map((name) => `there is no setting ${name}; ${suggestName(name, known)}`).join(', and ')
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new ConfigurationError(
      `${file} is not JSON${placeIn(error)}; look for an extra comma, a missing quote, or a comment`,
    )
  }
}

/** Only the place from the message: the rest may quote the file, and keys are in it. */
function placeIn(error: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(String(error)) ?? []
  return line === undefined ? '' : ` at line ${line}, column ${column}`
}

/** `merchants[0].endpoints[1].id` */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}

/**
 * The error of a gateway or store that refuses its options, with the configuration's names for them. Any other failure is a
 * mistake of ours, and stays as it is.
 */
export function asConfigurationError(error: unknown): unknown {
  if (error instanceof StoreError) return new ConfigurationError(`store: ${error.message} (${error.url})`)
  if (!(error instanceof TypeError)) return error
  const message = error.message
    .replace(/^connectionString:/, 'store:')
    .replace(/^merchants\[\d+\]\.publicKey(?=:)/, '$&File')
  return message === error.message ? error : new ConfigurationError(message)
}

/** The operator has to change something before the gateway can start. The message says what. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

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

/** The ids of two key files made on one day differ: what one of them sealed, the other does not open. */
export const newKeys = () =>
  newVaultKeys(pooledRandomness(), `${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`)

/** A key of 256 bits for a merchant or for operators, in characters that every tool takes. */
export const newKey = () => randomBytes(32).toString('hex')

let output: LogOutput | undefined

/** Tells the operator on the standard error, unless nobody reads that. Payments go on without it. */
export function complain(message: string): void {
  output ??= logOutput({ ...standardStream(2), tell: () => {}, onLost: () => {}, lostLine: () => '' })
  output.write(`tallystick-gateway: ${message}\n`)
}
