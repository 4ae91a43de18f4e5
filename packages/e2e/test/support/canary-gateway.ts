import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { testControlKey, testKeyPair } from '@tallystick/testing'
import { expect, onTestFinished } from 'vitest'
import { driveAll } from './drive-all.ts'
import { gatewayCommand } from './gateway-command.ts'
import { type Channel, innocentIn, type Secret } from './secret-scan.ts'

/** Card numbers that occur nowhere else, each with a CVV; the simulator approves only 1234. */
export const CANARIES = [
  { cardNumber: '4485940822379130', cvv2: '1234' },
  { cardNumber: '5425233430109903', cvv2: '9173' },
  { cardNumber: '4917484589897107', cvv2: '8264' },
]
const LOGIN = 'shop'
const ENDPOINT = '253'

export interface CanaryGatewayOptions {
  /** An empty folder for its configuration and keys, but not for its store. */
  readonly home: string
  /** Where Node stores what it compiled. */
  readonly cacheFolder: string
  readonly store: string
  readonly sandbox: boolean
}

/** A gateway process to which every operation was sent with every canary. */
export interface CanaryGateway {
  /** Stops it. Gives all its output. */
  stop(): Promise<readonly Channel[]>
  /** What none of the output may contain. */
  readonly secrets: readonly Secret[]
  /** The id of the process, whose digits may match a CVV by chance. */
  readonly processId: RegExp
}

export async function canaryGateway({ home, cacheFolder, ...options }: CanaryGatewayOptions): Promise<CanaryGateway> {
  const { config, controlKey, keyFile } = configured(home, options)
  // With a file, the gateway makes the keys itself; nodes that share a database are given theirs.
  if (URL.canParse(options.store)) expect(await gatewayCommand(['keys', keyFile], cacheFolder).exited).toBe(0)
  const command = gatewayCommand(['--config', config], cacheFolder)
  // A test that fails before it stops the process leaves nothing behind.
  onTestFinished(() => command.signal('SIGKILL'))
  const addresses = await command.listening
  if (addresses === undefined) throw new Error(command.stderr())
  const receiver = await startReceiver()
  const heard: string[] = []
  await driveAll({
    merchant: { baseUrl: addresses.address, login: LOGIN, endpointId: ENDPOINT, controlKey },
    canaries: CANARIES,
    heard,
    notifyUrl: options.sandbox ? receiver.address : undefined,
  })
  const metrics = await (await fetch(addresses.metrics)).text()
  if (options.sandbox) await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(10)
  const processId = new RegExp(`\\b${command.pid}\\b`, 'g')
  return {
    secrets: secretsOf(controlKey, keyFile),
    processId,
    stop: async () => {
      command.signal('SIGTERM')
      expect(await command.exited).toBe(0)
      receiver.close()
      const texts = {
        stdout: command.stdout(),
        stderr: command.stderr(),
        'replies and errors': heard.join('\n'),
        metrics: metrics.replaceAll(/(?<= )[\d.e+-]+$/gm, 'a number'),
        ...(options.sandbox ? { callbacks: receiver.received.join('\n') } : {}),
      }
      const innocent = [...innocentIn([texts.stdout, ...heard]), processId]
      return Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text), innocent }))
    },
  }
}

function configured(home: string, { store, sandbox }: Pick<CanaryGatewayOptions, 'store' | 'sandbox'>) {
  mkdirSync(home, { recursive: true })
  const controlKey = testControlKey()
  const [config, keyFile] = [join(home, 'gateway.json'), join(home, 'vault.keys')]
  writeFileSync(join(home, 'control.key'), controlKey)
  writeFileSync(join(home, 'public.pem'), testKeyPair().publicKey)
  const merchant = {
    login: LOGIN,
    controlKeyFile: 'control.key',
    publicKeyFile: 'public.pem',
    endpoints: [{ id: ENDPOINT }],
  }
  const ports = { port: 0, metricsPort: 0, sandboxPort: 0 }
  const settings = {
    ...ports,
    store,
    vaultKeyFile: keyFile,
    sandbox,
    acquirer: 'simulator',
    logLevel: 'debug',
    merchants: [merchant],
  }
  writeFileSync(config, JSON.stringify(settings))
  return { config, controlKey, keyFile }
}

async function startReceiver() {
  const received: string[] = []
  const server = createServer(({ url, rawHeaders }, response) => {
    received.push(`${url} ${rawHeaders.join(' ')}`)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  return { address, received, close: () => void server.close() }
}

function secretsOf(controlKey: string, keyFile: string): readonly Secret[] {
  const { wrapping, fingerprint }: { wrapping: Record<string, string>; fingerprint: string } = JSON.parse(
    readFileSync(keyFile, 'utf8'),
  )
  const keys = [...Object.values(wrapping), fingerprint].map((text) => Buffer.from(text, 'base64'))
  return [
    ...cardSecrets(CANARIES),
    { name: 'control key', bytes: Buffer.from(controlKey) },
    ...keys.map((bytes, at) => ({ name: `vault key ${at}`, bytes })),
  ]
}

export function cardSecrets(canaries: typeof CANARIES): readonly Secret[] {
  return [
    ...canaries.map(({ cardNumber }) => ({ name: `PAN ${cardNumber}`, bytes: Buffer.from(cardNumber) })),
    ...canaries.map(({ cvv2 }) => ({ name: `CVV ${cvv2}`, bytes: Buffer.from(cvv2), isShort: true })),
  ]
}
