import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { nearestName } from '@tallystick/core'
import { UsageError } from '../usage-error.ts'

/** Options and operands. @throws UsageError */
export function parse<const Options extends ParseArgsOptionsConfig>(
  command: string,
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${reasonOf(error, Object.keys(options))}\nSee tallystick ${command} --help`)
  }
}

/** Only Node's first sentence: the rest explains how operands could begin with a hyphen. */
function reasonOf(error: unknown, known: readonly string[]): string {
  const { message } = error as Error
  const strange = /^Unknown option '([^']*)'/.exec(message)?.[1]
  if (strange === undefined) return message.replace(/\. To specify.*/s, '')
  return unknownOption(strange, [...known, 'help'])
}

/** Names the option that was meant, if one is near. */
export function unknownOption(typed: string, known: readonly string[]): string {
  const near = nearestName(typed.replace(/^-+/, ''), known)
  return `there is no option ${typed}${near === undefined ? '' : `: did you mean --${near}?`}`
}

/** @throws UsageError if it is not given */
export function needed(value: string | undefined, option: string, meaning: string): string {
  if (value === undefined || value === '') throw new UsageError(`${option} is missing: ${meaning}`)
  return value
}
