import { suggestName } from '@tallystick/core'
import { certify } from './certify/certify.ts'
import type { Command } from './command.ts'
import { gateway } from './gateway.ts'
import { explain } from './received/explain.ts'
import { verify } from './received/verify.ts'
import { sign } from './sign/sign.ts'
import { trigger } from './trigger/trigger.ts'
import { UsageError } from './usage-error.ts'
import type { World } from './world.ts'

const COMMANDS: readonly Command[] = [sign, verify, explain, trigger, certify, gateway]

const WIDTH = Math.max(...COMMANDS.map(({ name }) => name.length))

const HELP = `tallystick: payments over the Server-to-Server interface, from the command line

Usage
  tallystick COMMAND [options]
  tallystick COMMAND --help

Commands
${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(WIDTH)}  ${summary}`).join('\n')}

Options
  --help     shows this text, or that of a command
  --version  shows the version

Exit codes: 0 if all is right; 1 if something is wrong with what was looked at; 2 if the command line is wrong; 70 if
tallystick itself fails, which is a bug.
`

/**
 * Runs the command that the arguments name.
 *
 * @returns the exit code
 * @throws UsageError that says what is wrong with the command line
 */
export async function run(args: readonly string[], version: string, world: World): Promise<number> {
  const [name = '--help', ...others] = args
  if (name === '--help' || name === '-h' || name === 'help') return shown(HELP, world)
  if (name === '--version') return shown(`${version}\n`, world)
  const command = COMMANDS.find((each) => each.name === name)
  if (command === undefined) throw new UsageError(`there is no command ${name}: ${suggestName(name, names())}`)
  // The gateway has a help of its own, with options that are not known here.
  const asksForHelp = command !== gateway && others.some((each) => each === '--help' || each === '-h')
  return asksForHelp ? shown(command.help, world) : await command.run(others, world)
}

function names(): readonly string[] {
  return COMMANDS.map(({ name }) => name)
}

function shown(text: string, { print }: World): number {
  print(text)
  return 0
}
