import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
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
    throw new UsageError(`${reasonOf(error)}\nSee tallystick ${command} --help`)
  }
}

/** Only Node's first sentence: the rest explains how operands could begin with a hyphen. */
function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/\. To specify.*/s, '').replace(/^Unknown/, 'unknown')
}

/** @throws UsageError if it is not given */
export function needed(value: string | undefined, option: string, meaning: string): string {
  if (value === undefined || value === '') throw new UsageError(`${option} is missing: ${meaning}`)
  return value
}
