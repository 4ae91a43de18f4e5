#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Command, HELP, readArguments, type WrittenOutcome, withOverrides } from '../command/arguments.ts'
import {
  basePathOf,
  type Configuration,
  ConfigurationError,
  parseConfiguration,
  publicUrlOf,
} from '../command/configuration.ts'
import { makeDurableFile } from '../command/durable-file.ts'
import { type Log, log } from '../command/log.ts'
import { metrics } from '../command/metrics.ts'
import { mainPort, operationsPort } from '../command/server.ts'
import { gatewayOf } from '../command/start-gateway.ts'
import type { Gateway } from '../gateway.ts'
import type { Answered, Called } from '../options.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { newVaultKeys } from '../vault/vault-keys.ts'
import { authority, type Listener, type ListenOptions, listen } from './listen.ts'
import { logOutput } from './log-output.ts'
import { pooledRandomness } from './vault-randomness.ts'

/** The command `tallystick-gateway`. */

/** Two files of one day are told apart: what one of them sealed the other does not open. */
const newKeys = () =>
  newVaultKeys(pooledRandomness(), `${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`)

/** How long what is closed may take to go away by itself. */
const LEFT_AFTER_MS = 1_000

/** How long the signal that stops it may come again: npm and others hand on to it what a terminal has sent to all. */
const HANDED_ON_FOR_MS = 3_000

/** What is said of a `host` that this machine does not have. */
const OTHER_HOST: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

try {
  await run(readArguments(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof TypeError)) throw error
  complain(error.message)
  process.exitCode = 2
}
// Connections to a database that says nothing any more do not end by themselves: the process does not wait for them.
setTimeout(() => process.exit(), LEFT_AFTER_MS).unref()

async function run(command: Command): Promise<void> {
  switch (command.name) {
    case 'help':
      return print(HELP)
    case 'version':
      return print(`${version()}\n`)
    case 'keys':
      return makeKeys(command.file)
    case 'resend':
      return await resend(read(command.config), command.orderId)
    case 'outcome':
      return await writeOutcome(read(command.config), command)
    case 'serve':
      return await serve(withOverrides(read(command.config), command.overrides), dirname(resolve(command.config)))
  }
}

/** Never over another one: what was sealed under its keys would be lost. */
function makeKeys(file: string): void {
  if (existsSync(file)) throw new ConfigurationError(`${file} is there already; cards may be sealed under its keys`)
  try {
    makeDurableFile(file, () => newKeys().reveal())
  } catch (error) {
    throw new ConfigurationError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}

function print(text: string): void {
  process.stdout.write(text)
}

/** To a person, if there is one: whoever has closed the standard error as well is not told. */
function complain(message: string): void {
  try {
    writeSync(2, `tallystick-gateway: ${message}\n`)
  } catch {
    // Payments go on without it.
  }
}

function version(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return manifest.version
}

function read(file: string): Configuration {
  try {
    return parseConfiguration(readFileSync(file, 'utf8'), file)
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw new ConfigurationError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

async function serve(configuration: Configuration, folder: string): Promise<void> {
  const { host, port, metricsHost, metricsPort, logLevel } = configuration
  const basePath = basePathOf(configuration)
  const counters = metrics()
  const output = logOutput((reason) => {
    counters.failed()
    complain(`the log cannot be written to the standard output (${reason}); payments go on, and lines of it are lost`)
  })
  const lines = log(logLevel, output)
  const started = Promise.withResolvers<Gateway>()
  // The port comes first: with port 0 the public address is known only then.
  const listener = await listenAt('port', mainPort(started.promise), { host, port })
  const publicUrl = publicUrlOf(configuration, listener.origin)
  const listeners = {
    onAnswer: (answered: Answered) => {
      lines.answered(answered)
      counters.answered(answered)
    },
    onCallback: (called: Called) => {
      lines.called(called)
      counters.called(called)
    },
    onError: (error: unknown, serialNumber?: string) => {
      lines.failed(error, serialNumber)
      counters.failed()
    },
  }
  // Who asks before it is made waits for it, and is cut off where it fails: no request holds the end up then.
  started.resolve(gatewayOf({ ...configuration, publicUrl }, { folder, newKeys }, listeners))
  const gateway = await closing(listener.close, () => started.promise)
  const serving = async () => {
    await listener.close()
    await gateway.close()
  }
  const operating = operationsPort(gateway, { metrics: counters, host: metricsHost, onError: listeners.onError })
  const operations = await closing(serving, () =>
    listenAt('metricsPort', operating, { host: metricsHost, port: metricsPort }),
  )
  const tests = await closing(
    () => Promise.all([serving(), operations.close()]),
    () => sandboxListener(gateway, configuration),
  )
  // Whoever reads that it listens may stop it at once.
  const told = stopSignal()
  lines.info('listening', {
    address: listener.origin + basePath,
    publicUrl,
    metrics: `${operations.origin}/metrics`,
    ...(tests === undefined ? {} : { sandbox: `${tests.origin}/__sandbox` }),
    ...(gateway.chaos.seed === undefined ? {} : { chaosSeed: gateway.chaos.seed }),
  })
  const stopping = new AbortController()
  const rotated = rotate(gateway, stopping.signal, lines)
  const signal = await told
  stopping.abort()
  lines.info('stopping', { signal })
  await Promise.all([listener.close(), tests?.close()])
  await rotated
  await gateway.close()
  await operations.close()
  lines.info('stopped')
}

/** In a sandbox, what tests ask for has a port of its own. */
async function sandboxListener(
  gateway: Gateway,
  { sandbox, sandboxPort: port, sandboxHost: host }: Configuration,
): Promise<Listener | undefined> {
  return sandbox ? await listenAt('sandboxPort', createSandbox(gateway, { host }), { host, port }) : undefined
}

async function listenAt(setting: string, handle: Parameters<typeof listen>[0], at: ListenOptions): Promise<Listener> {
  try {
    return await listen(handle, at)
  } catch (error) {
    throw new ConfigurationError(cannotListen(setting, at, error as NodeJS.ErrnoException))
  }
}

function cannotListen(setting: string, { host, port }: ListenOptions, { code }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `${setting}: ${port} on ${host} is taken (${code}): name another in "${setting}"`
  if (!OTHER_HOST.has(code)) return `${setting}: cannot listen on ${port} of ${host} (${code})`
  const hostSetting = setting.replace('port', 'host').replace('Port', 'Host')
  return `${hostSetting}: ${host} is no address of this machine (${code}); 0.0.0.0 is all that it has`
}

/** After the key file got another current key. What is interrupted goes on at the next start. */
async function rotate(gateway: Gateway, signal: AbortSignal, lines: Log): Promise<void> {
  try {
    const { rewrapped, refused, complete } = await gateway.rotateCards(signal)
    if (rewrapped + refused === 0) return
    lines.info('cards were brought under the current key', { rewrapped, refused, complete: String(complete) })
  } catch (error) {
    lines.failed(error)
  }
}

/** Lets go of what there is when what comes after it fails: the process has to end then. */
async function closing<T>(close: () => Promise<unknown>, make: () => T | Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    await close()
    throw error
  }
}

/** The same one later ends it at once, whatever it is at. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        resolve(signal)
        setTimeout(() => process.removeAllListeners(signal), HANDED_ON_FOR_MS).unref()
      })
    }
  })
}

async function resend(configuration: Configuration, orderId: string): Promise<void> {
  const answer = await asked(configuration, `/callbacks/${orderId}/resend`)
  if (answer === '0') {
    throw new ConfigurationError(
      `no callback is sent: there is no order ${orderId}, or it has no callback address, no outcome yet, or a merchant that is not configured`,
    )
  }
  print(`${answer} callbacks of order ${orderId} are sent again\n`)
}

async function writeOutcome(configuration: Configuration, { operationId, status }: WrittenOutcome): Promise<void> {
  await asked(configuration, `/operations/${operationId}/outcome/${status}`)
  print(`the operation ${operationId} is ${status}\n`)
}

/** What the running gateway answers. @throws ConfigurationError where it refuses, or where none runs */
async function asked({ metricsHost, metricsPort }: Configuration, path: string): Promise<string> {
  if (metricsPort === 0)
    throw new ConfigurationError('metricsPort: is 0, which is any free port: name one to be asked at')
  const at = authority(metricsHost, metricsPort)
  const reply = await fetch(`http://${at}${path}`, { method: 'POST' }).catch(() => {
    throw new ConfigurationError(`no gateway answers at ${at}; is it running?`)
  })
  const answer = (await reply.text()).trim()
  if (!reply.ok) throw new ConfigurationError(`the gateway answered ${reply.status}: ${answer}`)
  return answer
}
