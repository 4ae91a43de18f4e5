import { suggestName } from '@tallystick/core'
import * as z from 'zod'
import { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'

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
