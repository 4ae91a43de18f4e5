import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorUrl } from '@tallystick/core/internal'
import { textOfFile } from '@tallystick/signing/internal'
import { type Command, readArguments, withOverrides } from './arguments.ts'
import type { Configuration } from './configuration.ts'
import { askGateway, inspectCommand } from './inspect-command.ts'
import { makeDurableFile } from './key-files.ts'
import { ownSandbox } from './own-sandbox.ts'
import { ConfigurationError, complain, newKey, newKeys, parseConfiguration } from './read-configuration.ts'
import { type ServedSetup, serve } from './serve.ts'
import { type Setup, startWarnings } from './start-warnings.ts'

/** How long connections that are closed may take to go away on their own. */
const LEFT_AFTER_MS = 1_000

/**
 * Runs `tallystick-gateway` with these arguments, until a signal ends it. What is wrong with them goes to the standard error,
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

function setupOf({ config, overrides }: Extract<Command, { readonly name: 'serve' | 'check' }>): ServedSetup {
  const isPasswordShown = overrides.store !== undefined && (URL.parse(overrides.store)?.password ?? '') !== ''
  // Overwrites what the system shows of the command line, as far as it can.
  if (isPasswordShown) process.title = 'tallystick-gateway'
  const setup = (configuration: Configuration) => {
    return { configuration: withOverrides(configuration, overrides), file: config, isPasswordShown }
  }
  if (config !== undefined) return { ...setup(read(config)), environment: process.env }
  const own = ownSandbox(process.env, overrides)
  return { ...setup(own.configuration), environment: own.environment, own }
}

function check(setup: Setup): void {
  const warnings = startWarnings(setup)
  const more = errorUrl('gateway', 'dangerous-settings')
  print(warnings.length === 0 ? 'no setting is dangerous\n' : `${warnings.join('\n')}\n${more}\n`)
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

/** What `tallystick-gateway --help` shows. */
export const HELP = `tallystick-gateway: a payment gateway with the Server-to-Server interface

Usage
  tallystick-gateway --config gateway.json [options]
  tallystick-gateway --sandbox
  tallystick-gateway check --config gateway.json [options]
  tallystick-gateway orders [filters] --config gateway.json
  tallystick-gateway order ID [--login LOGIN] --config gateway.json
  tallystick-gateway callbacks --given-up [filters] --config gateway.json
  tallystick-gateway resend ID --config gateway.json
  tallystick-gateway outcome OPERATION_ID approved|declined|error \\
    --why REASON --config gateway.json
  tallystick-gateway key [FILE]
  tallystick-gateway keys FILE

Commands
  check              names each dangerous setting, and starts nothing; exit code
                     1 if there is one
  orders             lists the orders of the running gateway, the latest first
  order ID           shows an order with its history: operations, postings,
                     callbacks and what operators did; ID is the gateway's id
                     or the merchant's; exit code 1 if no order has it, or
                     several
  callbacks --given-up
                     lists callbacks that were given up or refused, the latest
                     first
  resend ID          has the running gateway send a callback again, by its id,
                     or all callbacks of an order
  outcome OPERATION_ID STATUS
                     has the running gateway record the outcome of an operation
                     whose outcome is unknown, as the acquirer reports it; run
                     it on the machine of the gateway
  key [FILE]         makes a control key of 256 bits for a merchant, or an
                     operator key, in a file that only its owner may read;
                     without FILE it is printed
  keys FILE          makes a vault key file that only its owner may read; keep a
                     copy apart from the database

Options
  --config FILE      the configuration; its JSON Schema is gateway.schema.json
                     in this package; --sandbox alone needs none: it has a
                     merchant, prints what a shop needs and a curl line that
                     pays, and takes free ports if another one runs
  --port PORT        overrides the configuration's port; 0 picks any free port
  --host ADDRESS     overrides the configuration's host, such as 0.0.0.0 in a
                     container; with --sandbox alone, sandboxHost too
  --store STORE      overrides the configuration's store: a database file
                     (relative to the configuration's folder), postgres://...,
                     or memory
  --sandbox          for tests: callbacks may go to this machine, a 403 explains
                     itself, and there is a port for tests
  --acquirer simulator
                     outside a sandbox: payments are decided by the CVV, and no
                     money moves
  --faults FAULT,... in a sandbox: every order draws one of these faults
  --fault-seed N     in a sandbox: draws the same faults as the run whose log
                     shows this seed
  --why REASON       of resend and outcome: is recorded with it
  --by NAME          of resend and outcome: who does it; default: the user of
                     this machine
  --url URL          of what goes to the running gateway: the address of its
                     metricsPort, instead of that in the configuration
  --json             of orders, order and callbacks: one JSON object a line
  --help             shows this text
  --version          shows the version of the package

Filters of orders and callbacks
  --login LOGIN      of this merchant alone
  --since, --until   when the order was made, or the callback given up: a date
                     (2030-01-31), a time (2030-01-31T06:00Z) or how long ago
                     (24h, 7d)
  --limit N          at most so many, up to 1000; default 50
  --cursor CURSOR    goes on after a line that came before: each line of --json
                     has its cursor
  --status STATUS    of orders: processing, approved, declined, filtered, error
                     or unknown
  --endpoint ID, --client-order-id ID
                     of orders

The gateway runs until SIGTERM, SIGINT or SIGHUP. It then answers the requests
that it has accepted, and ends. /healthz and /readyz are on the port of the
interface; /metrics is on a port of its own. The commands that go to the running
gateway go to that port with the operator key: the variable
TALLYSTICK_OPERATOR_KEY, or the file that the gateway makes beside its
configuration (operator.key). Exit code 2: something is wrong with the command,
or the gateway refuses it or does not answer.
`
