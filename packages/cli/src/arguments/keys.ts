import type { HelpRow } from '../help.ts'
import type { World } from '../world.ts'
import { UsageError } from './parse.ts'

/** Keys never come from the command line: every user of the machine sees those, and the shell stores them. */
export const KEY_OPTIONS = {
  'key-file': { type: 'string' },
  'private-key-file': { type: 'string' },
} as const

export const CONTROL_KEY_ROW: HelpRow = [
  '--key-file FILE',
  'the merchant control key; default: the variable TALLYSTICK_CONTROL_KEY',
]

export const KEY_ROWS: readonly HelpRow[] = [
  CONTROL_KEY_ROW,
  ['--private-key-file FILE', "the merchant's RSA key in PEM, for operations that are signed by RSA-SHA256"],
]

interface KeyFiles {
  readonly 'key-file'?: string | undefined
  readonly 'private-key-file'?: string | undefined
}

const VARIABLE = 'TALLYSTICK_CONTROL_KEY'

/** @throws UsageError if there is none */
export function controlKey(files: KeyFiles, world: World): string {
  const file = files['key-file']
  const text = file === undefined ? (world.environment[VARIABLE] ?? '') : keyFile(file, world)
  const key = secret(text.trim(), world)
  if (key !== '') return withRemark(key, file ?? VARIABLE, world)
  throw new UsageError(
    file === undefined
      ? `the control key is missing: give --key-file FILE, or set ${VARIABLE}`
      : `${file} is empty: it must hold the control key`,
  )
}

/** What gets into keys by accident, and is signed with them. */
const ACCIDENTS: ReadonlyArray<readonly [sign: RegExp, what: string]> = [
  [/^(["']).*\1$/s, 'is between quotes'],
  [/^\w*key[=:]/i, 'has a name before it'],
  [/\n/, 'has more than one line'],
]

/** A key is any text, so what looks wrong is said and used all the same. */
function withRemark(key: string, where: string, { warn }: World): string {
  const accident = ACCIDENTS.find(([sign]) => sign.test(key))?.[1]
  if (accident !== undefined) warn(`the key in ${where} ${accident}: all of it is taken for the key`)
  return key
}

/** @throws UsageError if there is none */
export function privateKey(files: KeyFiles, world: World): string {
  const file = files['private-key-file']
  if (file === undefined) throw new UsageError('--private-key-file is missing: this operation is signed by RSA-SHA256')
  return secret(keyFile(file, world), world)
}

/** A key in a file, which editors end with a line feed. */
export function keyIn(file: string, world: World): string {
  return secret(keyFile(file, world).trim(), world)
}

/** The key of a running gateway's operators. Empty if there is none: a sandbox in a program may need none. */
export function operatorKey(file: string | undefined, world: World): string {
  const text = file === undefined ? (world.environment['TALLYSTICK_OPERATOR_KEY'] ?? '') : keyFile(file, world)
  return secret(text.trim(), world)
}

function secret(key: string, { secrets }: World): string {
  if (key !== '') secrets.add(key)
  return key
}

function keyFile(file: string, world: World): string {
  if (world.isOpen(file)) world.warn(`${file} may be read by every user of this machine: chmod 600 ${file}`)
  return world.read(file)
}
