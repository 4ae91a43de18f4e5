import { userInfo } from 'node:os'
import { dirname, resolve } from 'node:path'
import { maskCardNumbers } from '@tallystick/core'
import { authority } from '../http/server.ts'
import { OPERATOR_KEY, operatorHeaders } from '../requests/operator-access.ts'
import type { Named, Reach } from './arguments.ts'
import type { Configuration } from './configuration.ts'
import { operatorKeyOf } from './key-files.ts'
import { NO_ORDER } from './ports.ts'
import { ConfigurationError } from './read-configuration.ts'
import { plain } from './tables.ts'

/** Longer than the gateway itself takes at most. */
const WAIT_MS = 40_000

interface Question extends Reach, Partial<Named> {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** What it says if it has done it. Another program on this port may say anything. */
  readonly done: RegExp
}

interface Answered {
  readonly status: number
  readonly text: string
}

/**
 * Asks the running gateway, with the operator key. What was not found is an answer.
 *
 * @param read reads a configuration
 * @throws ConfigurationError if it refuses, or if none runs there
 */
export async function askGateway(
  { config, url, method, path, done, by = userInfo().username, why = '' }: Question,
  read: (file: string) => Configuration,
): Promise<Answered> {
  const configuration = config === undefined ? undefined : read(config)
  const origin = url ?? originOf(configuration)
  const folder = config === undefined ? process.cwd() : dirname(resolve(config))
  const { key, place } = operatorKeyOf(configuration ?? {}, { folder, environment: process.env })
  if (key === undefined)
    throw new ConfigurationError(`the operator key is missing: set ${OPERATOR_KEY} to that of the gateway (${place})`)
  const headers = operatorHeaders(key.reveal(), { who: by, why })
  // A redirection would take the key elsewhere.
  const asking = { method, headers, redirect: 'error', signal: AbortSignal.timeout(WAIT_MS) } as const
  const { status, type, text } = await answerOf(origin + path, asking).catch((error: unknown) => {
    throw new ConfigurationError(
      (error as Error).name === 'TimeoutError'
        ? `what is at ${origin} does not answer; is it the metricsPort of a gateway?`
        : `no gateway answers at ${origin}; is it running?`,
    )
  })
  const isDone =
    status === 200 && type.startsWith(method === 'GET' ? 'application/json' : 'text/plain') && done.test(text)
  const isRefused = status !== 200 && type.startsWith('text/plain') && (status !== 404 || text === NO_ORDER)
  if (!isDone && !isRefused)
    throw new ConfigurationError(`what answers at ${origin}, with ${status}, is not the gateway's metricsPort`)
  if (status === 401) {
    throw new ConfigurationError(
      `the gateway at ${origin} does not accept the operator key in ${place}: it needs the one that it was started with, whose place is in the line "listening" of its log`,
    )
  }
  if (!isDone && status !== 404) throw new ConfigurationError(`the gateway answered ${status}: ${shown(text)}`)
  return { status, text }
}

async function answerOf(url: string, asking: RequestInit) {
  const reply = await fetch(url, asking)
  return { status: reply.status, type: reply.headers.get('content-type') ?? '', text: (await reply.text()).trim() }
}

function shown(text: string): string {
  return plain(maskCardNumbers(text.slice(0, 500)))
}

function originOf({ metricsHost, metricsPort }: Partial<Configuration> = {}): string {
  if (metricsHost === undefined || metricsPort === undefined || metricsPort === 0) {
    throw new ConfigurationError(
      'metricsPort: is 0, which is any free port: choose one, so that the gateway can be found, or give its address by --url',
    )
  }
  return `http://${authority(metricsHost, metricsPort)}`
}
