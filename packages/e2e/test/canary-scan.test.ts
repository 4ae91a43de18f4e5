import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testControlKey, testKeyPair } from '@tallystick/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { driveAll } from './support/drive-all.ts'
import { gatewayCommand } from './support/gateway-command.ts'
import { type Channel, formsOf, innocentIn, type Secret, scan } from './support/secret-scan.ts'
import { storedCells } from './support/stored-cells.ts'

/** Card numbers that stand nowhere else, each with a CVV; the simulator approves 1234 alone. */
const CANARIES = [
  { cardNumber: '4485940822379130', cvv2: '1234' },
  { cardNumber: '5425233430109903', cvv2: '9173' },
  { cardNumber: '4917484589897107', cvv2: '8264' },
]
const LOGIN = 'shop'
const ENDPOINT = '253'

const folder = mkdtempSync(join(tmpdir(), 'canary-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each([{ sandbox: true }, { sandbox: false }])('a gateway process, sandbox $sandbox', ({ sandbox }) => {
  test('[S2-04] [S5.1-02] puts no card number, no CVV and no key out', { timeout: 120_000 }, async () => {
    const { channels, secrets } = await everythingOf(join(folder, String(sandbox)), sandbox)
    for (const { name, bytes } of channels) expect([name, bytes.length > 0]).toEqual([name, !name.includes('stderr')])
    expect(scan(channels, secrets)).toEqual([])
    // The same scan of the same channels finds all that is put there.
    const planted = channels.map((channel) => ({ ...channel, bytes: plantedIn(channel.bytes, secrets) }))
    expect(scan(planted, secrets)).toEqual(planted.flatMap((channel) => everyForm(channel, secrets)))
  })
})

/** In the middle, each form of each secret as a value of its own; all that is there stays. */
function plantedIn(bytes: Uint8Array, secrets: readonly Secret[]): Buffer {
  const middle = bytes.indexOf(0x0a, bytes.length / 2) + 1
  const values = secrets.flatMap(formsOf).flatMap(({ pattern }) => [Buffer.from('"'), pattern, Buffer.from('"\n')])
  return Buffer.concat([bytes.subarray(0, middle), ...values, bytes.subarray(middle)])
}

function everyForm({ name }: Channel, secrets: readonly Secret[]): string[] {
  return secrets.flatMap(formsOf).map(({ secret, form }) => `${secret} in ${name}, as ${form}`)
}

describe('the scan', () => {
  const secrets: Secret[] = [
    { name: 'PAN', bytes: Buffer.from('4485940822379130') },
    { name: 'CVV', bytes: Buffer.from('9173'), isShort: true },
    { name: 'key', bytes: Buffer.from('B17F59B4&A7DC=41B4+8FF9/37D986B43D20') },
    { name: 'bytes', bytes: Buffer.from(Array.from({ length: 32 }, (_, at) => 251 - at * 7)) },
  ]
  const forms = secrets.flatMap((secret) => formsOf(secret).map(({ form, pattern }) => ({ secret, form, pattern })))

  test.each(forms)('finds $secret.name as $form, whatever stands beside it', ({ secret, form, pattern }) => {
    for (const beside of ['', 'x', '=', '%', '"', '\0', '\n', '\xff']) {
      const bytes = Buffer.concat([Buffer.from(beside, 'latin1'), pattern, Buffer.from(beside, 'latin1')])
      expect(scan([{ name: 'a channel', bytes }], [secret])).toContain(`${secret.name} in a channel, as ${form}`)
    }
  })

  test.each([0, 1, 2])('finds base64 wherever in the encoded text a card number begins: %i', (offset) => {
    const [secret] = secrets
    const text = `${'x'.repeat(offset)}4485940822379130 and more`
    const channel = { name: 'a text', bytes: Buffer.from(Buffer.from(text).toString('base64')) }
    expect(scan([channel], secret === undefined ? [] : [secret])).toContain(`PAN in a text, as base64 at ${offset}`)
  })

  test('lets digits of a CVV pass within what is known, and nowhere else', () => {
    const innocent = ['100009173000001', /[0-9a-f]{40}/g]
    const told = (text: string) => scan([{ name: 'a log', bytes: Buffer.from(text), innocent }], secrets)
    expect(told('order 100009173000001 was paid')).toEqual([])
    expect(told(`control=${'9173'.repeat(10)}&`)).toEqual([])
    for (const text of ['order 100009173000002', '100009173000001 9173', '9173', '"cvv":9173,', 'cvv2=9173&amount=1']) {
      expect(told(text)).toEqual(['CVV in a log, as raw'])
    }
  })
})

/** All that comes out of a gateway that is asked for everything, and what must not be in it. */
async function everythingOf(home: string, sandbox: boolean) {
  const { command, controlKey, file, keyFile } = startCommand(home, sandbox)
  const addresses = await command.listening
  if (addresses === undefined) throw new Error(command.stderr())
  const receiver = await startReceiver()
  const heard: string[] = []
  await driveAll({
    merchant: { baseUrl: addresses.address, login: LOGIN, endpointId: ENDPOINT, controlKey },
    canaries: CANARIES,
    heard,
    notifyUrl: sandbox ? receiver.address : undefined,
  })
  const metrics = await (await fetch(addresses.metrics)).text()
  if (sandbox) await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(10)
  const running = filesOf(home, file, keyFile, 'while it runs')
  command.signal('SIGTERM')
  expect(await command.exited).toBe(0)
  receiver.close()
  const texts = {
    stdout: command.stdout(),
    stderr: command.stderr(),
    'replies and errors': heard.join('\n'),
    metrics: metrics.replaceAll(/(?<= )[\d.e+-]+$/gm, 'a number'),
    ...(sandbox ? { callbacks: receiver.received.join('\n') } : {}),
  }
  const told = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }))
  const innocent = [...innocentIn([texts.stdout, ...heard]), new RegExp(`\\b${command.pid}\\b`, 'g')]
  const channels: Channel[] = [...told, ...running, ...filesOf(home, file, keyFile, 'afterwards')]
  return {
    channels: channels.map((channel) => ({ ...channel, innocent: [...innocent, ...(channel.innocent ?? [])] })),
    secrets: secretsOf(controlKey, keyFile),
  }
}

function startCommand(home: string, sandbox: boolean) {
  const [data, keys] = [join(home, 'data'), join(home, 'keys')]
  for (const path of [data, keys]) mkdirSync(path, { recursive: true })
  const controlKey = testControlKey()
  const [file, keyFile] = [join(data, 'gateway.db'), join(keys, 'vault.keys')]
  writeFileSync(join(keys, 'control.key'), controlKey)
  writeFileSync(join(keys, 'public.pem'), testKeyPair().publicKey)
  const merchant = {
    login: LOGIN,
    controlKeyFile: 'control.key',
    publicKeyFile: 'public.pem',
    endpoints: [{ id: ENDPOINT }],
  }
  const settings = {
    port: 0,
    metricsPort: 0,
    sandboxPort: 0,
    store: file,
    vaultKeyFile: keyFile,
    sandbox,
    logLevel: 'debug',
  }
  writeFileSync(join(keys, 'gateway.json'), JSON.stringify({ ...settings, merchants: [merchant] }))
  return {
    command: gatewayCommand(['--config', join(keys, 'gateway.json')], join(folder, 'compiled')),
    controlKey,
    file,
    keyFile,
  }
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

/** Every file beside the database, itself and what it holds; the keys are elsewhere. */
function filesOf(home: string, file: string, keyFile: string, when: string): Channel[] {
  expect(keyFile.startsWith(join(home, 'data'))).toBe(false)
  const data = join(home, 'data')
  const files = readdirSync(data).map((name) => ({
    name: `${name} ${when}`,
    bytes: readFileSync(join(data, name)),
    // Pages cut digests and names in two. What is stored is scanned value by value besides.
    innocent: [/[0-9a-f-]{8,}/g],
  }))
  return [...files, { name: `values ${when}`, bytes: Buffer.from(storedCells(file), 'latin1') }]
}

function secretsOf(controlKey: string, keyFile: string): Secret[] {
  const { wrapping, fingerprint }: { wrapping: Record<string, string>; fingerprint: string } = JSON.parse(
    readFileSync(keyFile, 'utf8'),
  )
  const keys = [...Object.values(wrapping), fingerprint].map((text) => Buffer.from(text, 'base64'))
  return [
    ...CANARIES.map(({ cardNumber }) => ({ name: `PAN ${cardNumber}`, bytes: Buffer.from(cardNumber) })),
    ...CANARIES.map(({ cvv2 }) => ({ name: `CVV ${cvv2}`, bytes: Buffer.from(cvv2), isShort: true })),
    { name: 'control key', bytes: Buffer.from(controlKey) },
    ...keys.map((bytes, at) => ({ name: `vault key ${at}`, bytes })),
  ]
}
