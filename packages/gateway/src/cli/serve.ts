import { Secret } from '@tallystick/core'
import type { Listeners } from '../events.ts'
import type { Gateway } from '../gateway.ts'
import type { Listener } from '../http/server.ts'
import { OPERATOR_KEY } from '../requests/operator-access.ts'
import { systemClock } from '../runtime/system.ts'
import { createSandbox, type SandboxOptions } from '../sandbox/sandbox.ts'
import { gatewayOf } from './gateway-of.ts'
import { operatorKeyOf } from './key-files.ts'
import { type Log, log, lostLine } from './log.ts'
import { type LogOutput, logOutput, standardStream } from './log-output.ts'
import { type Metrics, metrics } from './metrics.ts'
import type { OwnSandbox } from './own-sandbox.ts'
import { basePathOf, callable, listenAt, mainPort, movedPorts, operationsPort, publicUrlOf } from './ports.ts'
import { complain, newKey, newKeys } from './read-configuration.ts'
import { type Setup, startWarnings } from './start-warnings.ts'
import { storeShown } from './store-setting.ts'

/** At the operators' port, and out of the files that the other one leaves. */
const MOST_OPERATORS = 64

/** What a gateway is started with. */
export interface ServedSetup extends Setup {
  /** There is one if the configuration is its own. */
  readonly own?: OwnSandbox
}

/**
 * Runs a gateway until a signal stops it.
 *
 * @param folder of the configuration: file names in it are relative to that
 * @throws ConfigurationError when it cannot be started
 */
export async function serve(setup: ServedSetup, folder: string): Promise<void> {
  const { configuration, own } = setup
  const { host, port, metricsHost, metricsPort, maxConnections, logLevel } = configuration
  const basePath = basePathOf(configuration)
  const counters = metrics()
  const lines = log(logLevel, outputCountedBy(counters))
  const operator = operatorKeyOf(configuration, { folder, environment: setup.environment }, newKey)
  const started = Promise.withResolvers<Gateway>()
  // The port comes first: with port 0 the public address is known only then.
  const listeners = listenersOf(lines, counters)
  const onConnectionsFull = () => listeners.onLimit({ limit: 'connections' })
  const listener = await listenAt('port', mainPort(started.promise), {
    host,
    port,
    orAnyPort: own?.isPortFixed === false,
    maxConnections,
    onConnectionsFull,
    onUnread: lines.refused,
  })
  const publicUrl = publicUrlOf(configuration, listener.origin)
  // A request that comes before the gateway is made waits for it, and is cut off if making it fails.
  started.resolve(gatewayOf({ ...configuration, publicUrl }, { folder, newKeys }, listeners))
  const gateway = await closing(listener.close, () => started.promise)
  const serving = async () => {
    await listener.close()
    await gateway.close()
  }
  const operating = operationsPort(gateway, {
    metrics: counters,
    host: metricsHost,
    operatorKey: operator.key,
    onRefused: lines.refused,
    onError: listeners.onError,
  })
  const operations = await closing(serving, () =>
    listenAt('metricsPort', operating, {
      host: metricsHost,
      port: metricsPort,
      orAnyPort: own !== undefined,
      maxConnections: MOST_OPERATORS,
      onConnectionsFull,
      onUnread: lines.refused,
    }),
  )
  const tests = await closing(
    () => Promise.all([serving(), operations.close()]),
    () =>
      sandboxListener(gateway, setup, {
        // Without a key nobody is admitted: of one that is never told, nobody knows anything.
        operatorKey: operator.key ?? new Secret(newKey()),
        onRefused: lines.refused,
      }),
  )
  // Before the line `listening`: whoever reads that may send a signal at once.
  const told = stopSignal()
  for (const warning of startWarnings(setup)) lines.warn(warning)
  if (operator.key === undefined)
    lines.warn(
      `operatorKeyFile: ${operator.place}, so that the commands for the running gateway are refused: set ${OPERATOR_KEY}`,
    )
  if (own !== undefined && tests !== undefined) {
    const ports = { port: listener.origin, metricsPort: operations.origin, sandboxPort: tests.origin }
    const moved = movedPorts(configuration, ports)
    complain(own.announcement({ publicUrl, sandbox: callable(tests.origin), moved, at: systemClock.now() }))
  }
  lines.info('listening', {
    address: listener.origin + basePath,
    publicUrl,
    store: storeShown(configuration.store, folder),
    metrics: `${operations.origin}/metrics`,
    operatorKey: operator.place,
    ...(tests === undefined ? {} : { sandbox: `${tests.origin}/__sandbox`, workbench: `${tests.origin}/` }),
    ...(gateway.faults.seed === undefined ? {} : { faultSeed: gateway.faults.seed }),
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

function outputCountedBy(counters: Metrics): LogOutput {
  return logOutput({
    ...standardStream(1),
    tell: (reason) => {
      counters.failed()
      complain(`the log cannot be written to the standard output (${reason}); payments go on, but log lines are lost`)
    },
    onLost: counters.lineLost,
    lostLine: (lost) => lostLine(lost, systemClock.now()),
  })
}

/** Everything goes to the log and into the metrics. */
function listenersOf(lines: Log, counters: Metrics): Listeners {
  return {
    onAnswer: (answered) => {
      lines.answered(answered)
      counters.answered(answered)
    },
    onCallback: (called) => {
      lines.called(called)
      counters.called(called)
    },
    onDecision: lines.decided,
    onRecord: lines.recorded,
    onLimit: (reached) => {
      lines.limited(reached, systemClock.now())
      counters.limited(reached)
    },
    onError: (error, serialNumber) => {
      lines.failed(error, serialNumber)
      counters.failed()
    },
  }
}

/** In a sandbox, the requests of tests have a port of their own. */
async function sandboxListener(
  gateway: Gateway,
  { configuration: { sandbox, sandboxPort: port, sandboxHost: host }, own }: ServedSetup,
  door: Pick<SandboxOptions, 'operatorKey' | 'onRefused'>,
): Promise<Listener | undefined> {
  const at = { host, port, orAnyPort: own !== undefined, onUnread: door.onRefused }
  return sandbox ? await listenAt('sandboxPort', createSandbox(gateway, { ...door, host }), at) : undefined
}

/** Rewraps the cards after the key file got another current key. If interrupted, it goes on at the next start. */
async function rotate(gateway: Gateway, signal: AbortSignal, lines: Log): Promise<void> {
  try {
    const { rewrapped, refused, complete } = await gateway.rotateCards(signal, {
      who: 'tallystick-gateway',
      why: 'the key file has another current key',
      from: 'start',
    })
    if (rewrapped + refused === 0) return
    lines.info('cards were brought under the current key', { rewrapped, refused, complete: String(complete) })
  } catch (error) {
    lines.failed(error)
  }
}

/** Closes what is open already if the next step fails: the process has to end then. */
async function closing<T>(close: () => Promise<unknown>, make: () => T | Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    await close()
    throw error
  }
}

/** How long the signal that stops the process may come again: npm and others forward what a terminal has sent to all. */
const HANDED_ON_FOR_MS = 3_000

/** The same signal later ends the process at once, whatever it is doing. */
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
