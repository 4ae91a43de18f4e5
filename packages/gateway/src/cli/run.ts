import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { textOfFile } from '@tallystick/signing/internal'
import { OPERATOR_KEY } from '../requests/operator-access.ts'
import { type Command, readArguments, withOverrides } from './arguments.ts'
import { askGateway } from './ask-gateway.ts'
import type { Configuration } from './configuration.ts'
import { HELP } from './help.ts'
import { inspectCommand } from './inspect-command.ts'
import { makeDurableFile } from './key-files.ts'
import { ConfigurationError, complain, newKey, newKeys, parseConfiguration } from './read-configuration.ts'
import { serve } from './serve.ts'
import { type Setup, startWarnings } from './start-warnings.ts'

/** How long connections that are closed may take to go away on their own. */
const LEFT_AFTER_MS = 1_000

/**
 * Runs `tallystick-gateway` with these arguments, until it is told to end. What is wrong with them goes to the standard error,
 * with exit code 2. It takes the whole process, which it ends a second later at the latest.
 */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await run(readArguments(args))
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof TypeError)) throw error
    complain(error.message)
    process.exitCode = 2
  }
  // Connections to a database that has gone silent do not end on their own: the process does not wait for them.
  setTimeout(() => process.exit(), LEFT_AFTER_MS).unref()
}

async function run(command: Command): Promise<void> {
  switch (command.name) {
    case 'help':
      return print(HELP)
    case 'version':
      return print(`${version()}\n`)
    case 'keys':
      return makeFile(command.file, () => newKeys().reveal(), 'cards may be sealed under its keys')
    case 'key':
      if (command.file === undefined) return print(`${newKey()}\n`)
      return makeFile(command.file, () => `${newKey()}\n`, 'it may hold a key that is in use')
    case 'resend':
      return await resend(command)
    case 'outcome':
      return await writeOutcome(command)
    case 'orders':
    case 'order':
    case 'callbacks':
      return await inspectCommand(command, read)
    case 'serve':
      return await serve(
        setupOf(command),
        command.config === undefined ? process.cwd() : dirname(resolve(command.config)),
      )
    case 'check':
      return check(setupOf(command))
  }
}

function setupOf({ config, overrides }: Extract<Command, { readonly name: 'serve' | 'check' }>): Setup {
  const isPasswordShown = overrides.store !== undefined && (URL.parse(overrides.store)?.password ?? '') !== ''
  // Overwrites what the system shows of the command line, as far as it can.
  if (isPasswordShown) process.title = 'tallystick-gateway'
  const { configuration, environment } =
    config === undefined ? madeUp() : { configuration: read(config), environment: process.env }
  return { configuration: withOverrides(configuration, overrides), file: config, environment, isPasswordShown }
}

/** A sandbox without a file: a merchant and keys that end with the process, told to the terminal and not to the log. */
function madeUp(): Pick<Setup, 'configuration' | 'environment'> {
  const [controlKey, operatorKey] = [newKey(), process.env[OPERATOR_KEY] ?? newKey()]
  const merchant = { login: 'test-login', controlKey, endpoints: [{ id: 253 }] }
  const configuration = parseConfiguration(JSON.stringify({ sandbox: true, merchants: [merchant] }), 'the sandbox')
  complain(
    'without --config this sandbox has a merchant of its own, until it ends\n' +
      `  login        ${merchant.login}\n  endpoint     253\n  control key  ${controlKey}\n` +
      `  operator key ${operatorKey}\n  address      publicUrl in the line "listening" below`,
  )
  return { configuration, environment: { ...process.env, [OPERATOR_KEY]: operatorKey } }
}

function check(setup: Setup): void {
  const warnings = startWarnings(setup)
  print(warnings.length === 0 ? 'no setting is dangerous\n' : `${warnings.join('\n')}\n`)
  if (warnings.length > 0) process.exitCode = 1
}

/** Never overwrites a key file: what was sealed under its keys would be lost. */
function makeFile(file: string, text: () => string, inUse: string): void {
  if (existsSync(file)) throw new ConfigurationError(`${file} exists already; ${inUse}`)
  try {
    makeDurableFile(file, text)
  } catch (error) {
    throw new ConfigurationError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

function print(text: string): void {
  process.stdout.write(text)
}

/** Found by the name of the package, because a bundle lies elsewhere than this file. */
function version(): string {
  const file = new URL(import.meta.resolve('@tallystick/gateway/package.json'))
  const manifest: { readonly version: string } = JSON.parse(readFileSync(file, 'utf8'))
  return manifest.version
}

function read(file: string): Configuration {
  try {
    return parseConfiguration(textOfFile(readFileSync(file)), file)
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw new ConfigurationError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

async function resend({ id, ...asking }: Extract<Command, { readonly name: 'resend' }>): Promise<void> {
  const { text } = await askGateway({ ...asking, method: 'POST', done: /^\d+$/, path: `/callbacks/${id}/resend` }, read)
  if (text === '0') {
    throw new ConfigurationError(
      `no callback is sent: there is no order or callback ${id}, or it has no callback address, no outcome yet, or a merchant that is not configured`,
    )
  }
  print(`${text} callbacks of ${id} are sent again\n`)
}

type Outcome = Extract<Command, { readonly name: 'outcome' }>

async function writeOutcome({ operationId, status, ...asking }: Outcome): Promise<void> {
  const path = `/operations/${operationId}/outcome/${status}`
  await askGateway({ ...asking, method: 'POST', done: new RegExp(`^${status}$`), path }, read)
  print(`the operation ${operationId} is ${status}\n`)
}
