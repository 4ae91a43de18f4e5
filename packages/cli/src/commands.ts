import { ERRORS_URL, suggestName } from '@tallystick/core/internal'
import { UsageError, unknownOption } from './arguments/parse.ts'
import { certify } from './certify/certify.ts'
import type { Command } from './command.ts'
import { type HelpPart, helpText } from './help.ts'
import { order, orders } from './orders/orders.ts'
import { explain, verify } from './received/commands.ts'
import { sign } from './sign/sign.ts'
import { tail } from './tail/tail.ts'
import { trigger } from './trigger/trigger.ts'
import { workbench } from './workbench/workbench.ts'
import type { World } from './world.ts'

/** The gateway's own command, which reads its own arguments and sets the exit code. */
const gateway: Command = {
  name: 'gateway',
  summary: 'runs the gateway, in a sandbox or for good; the same as tallystick-gateway',
  help: [],
  run: async (args) => {
    // Loaded only here: no other command needs a database.
    const { runCommand } = await import('@tallystick/gateway/command')
    await runCommand(args)
    return Number(process.exitCode ?? 0)
  },
}

const COMMANDS: readonly Command[] = [sign, verify, explain, trigger, orders, order, tail, certify, workbench, gateway]

const HELP: readonly HelpPart[] = [
  'tallystick: payments over the Server-to-Server interface, from the command line',
  { heading: 'Usage', commands: ['tallystick COMMAND [options]', 'tallystick COMMAND --help'] },
  { heading: 'Commands', rows: COMMANDS.map(({ name, summary }) => [name, summary]) },
  {
    heading: 'Options',
    rows: [
      ['--help', 'shows this text, or that of a command'],
      ['--version', 'shows the version'],
    ],
  },
  {
    heading: 'Exit codes',
    rows: [
      ['0', 'all is right'],
      ['1', 'something is wrong with what was looked at'],
      ['2', 'the command line is wrong, or a file that it names'],
      ['70', 'tallystick itself fails, which is a bug: please report it'],
      ['74', 'the output cannot be written'],
    ],
  },
  { heading: 'What codes mean', commands: [ERRORS_URL] },
]

/**
 * Runs the command that the arguments name.
 *
 * @returns the exit code
 * @throws UsageError that says what is wrong with the command line
 */
export async function run(args: readonly string[], version: string, world: World): Promise<number> {
  const [name = '--help', ...others] = args
  // As other programs have it: `help sign` is `sign --help`.
  if (name === 'help' && others[0] !== undefined) return await run([others[0], '--help'], version, world)
  if (name === '--help' || name === '-h' || name === 'help') return shown(helpText(HELP, world.columns), world)
  if (name === '--version' || name === '-V' || name === 'version') return shown(`${version}\n`, world)
  const command = COMMANDS.find((each) => each.name === name)
  if (command === undefined) throw new UsageError(unknownCommand(name))
  const part = command.parts?.find((each) => each.name === others[0])
  return part === undefined ? await runOrHelp(command, others, world) : await runOrHelp(part, others.slice(1), world)
}

async function runOrHelp(command: Command, args: readonly string[], world: World): Promise<number> {
  // The gateway has a help of its own, with options that are not known here.
  const asksForHelp = command !== gateway && args.some((each) => each === '--help' || each === '-h')
  return asksForHelp ? shown(helpText(command.help, world.columns), world) : await command.run(args, world)
}

function unknownCommand(name: string): string {
  if (name.startsWith('-')) return `${unknownOption(name, ['help', 'version'])}\nSee tallystick --help`
  const names = COMMANDS.map((command) => command.name)
  return `there is no command ${name}: ${suggestName(name, names)}`
}

function shown(text: string, { print }: World): number {
  print(text)
  return 0
}
