import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfiguration } from '../../src/cli/read-configuration.ts'
import { startWarnings } from '../../src/cli/start-warnings.ts'
import { folderOf } from '../support/folder.ts'
import { RIVAL, SHOP } from '../support/signed-requests.ts'

const merchantsOf = (...keys: readonly string[]) =>
  keys.map((controlKey, at) => ({ login: `shop${at}`, controlKey, endpoints: [{ id: at + 1 }] }))

interface Surroundings {
  readonly file?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly isPasswordShown?: boolean
}

/** The settings that the warnings of a configuration are about. By default nothing is wrong with it. */
function warned(configuration: object, { file, environment = {}, isPasswordShown = false }: Surroundings = {}) {
  const usual = {
    store: '/data/gateway.db',
    vaultKeyFile: '/secrets/vault.keys',
    merchants: merchantsOf(SHOP.controlKey),
  }
  const text = JSON.stringify({ ...usual, sandbox: true, ...configuration })
  const setup = { configuration: parseConfiguration(text, 'gateway.json'), file, environment, isPasswordShown }
  return startWarnings(setup).map((warning) => warning.slice(0, warning.indexOf(':')))
}

/** Outside a sandbox the simulator is always named. */
const OPEN = { sandbox: false, acquirer: 'simulator' }

test.for<readonly [what: string, configuration: object, expected: readonly string[], around?: Surroundings]>([
  ['nothing', {}, []],
  ['the simulator as the bank', OPEN, ['acquirer']],
  ['a sandbox under https', { publicUrl: 'https://gate.example.com/paynet' }, ['sandbox']],
  ['a sandbox beyond this machine', { host: '0.0.0.0' }, ['host']],
  ['the port of tests beyond this machine', { sandboxHost: '::' }, ['sandboxHost']],
  ['the port of operators beyond this machine', { metricsHost: '10.0.0.7' }, ['metricsHost']],
  ['none where all ports are here', { host: '::1', metricsHost: 'localhost', sandboxHost: '127.0.0.2' }, []],
  ['orders in memory', { ...OPEN, store: 'memory' }, ['acquirer', 'store']],
  ['orders in memory, of a sandbox', { store: 'memory' }, []],
  ['http beyond this machine', { ...OPEN, publicUrl: 'http://gate.example.com/paynet' }, ['acquirer', 'publicUrl']],
  [
    'http to a name like one of this machine',
    { ...OPEN, publicUrl: 'http://127.0.0.1.example.com' },
    ['acquirer', 'publicUrl'],
  ],
  ['none of http on this machine', { ...OPEN, publicUrl: 'http://localhost:8080/paynet' }, ['acquirer']],
  ['keys beside the database', { ...OPEN, vaultKeyFile: '/data/vault.keys' }, ['acquirer', 'vaultKeyFile']],
  ['keys beside the database, by default', { ...OPEN, vaultKeyFile: undefined }, ['acquirer', 'vaultKeyFile']],
  [
    'a limit for addresses that a proxy hides',
    { ...OPEN, publicUrl: 'https://gate.example.com/paynet', maxTriesPerAddress: 50 },
    ['acquirer', 'trustedProxies'],
  ],
  ['equal keys', { merchants: merchantsOf(SHOP.controlKey, RIVAL.controlKey, SHOP.controlKey) }, ['merchants']],
  ['a key that can be guessed', { merchants: merchantsOf('hunter2-hunter2') }, ['merchants']],
  ['a password on the command line', {}, ['--store'], { isPasswordShown: true }],
  ['a default password', { store: 'postgres://shop:changeme@db/payments' }, ['store']],
  ['the login as the password', { store: 'postgres://shop:shop@db/payments' }, ['store']],
  [
    'a default password in the environment',
    { store: 'postgres://shop@db/payments' },
    ['store'],
    { environment: { PGPASSWORD: 'postgres' } },
  ],
  [
    'the superuser',
    { store: 'postgres://postgres@db/payments' },
    ['store'],
    { environment: { PGPASSWORD: 'r8Zb2kQ0vX' } },
  ],
  ['none of a user of its own', { store: 'postgres://shop:r8Zb2kQ0vX@db/payments' }, []],
])('[F-B14] at the start a warning names %s', ([, configuration, expected, around]) => {
  expect(warned(configuration, around)).toEqual(expected)
})

test.skipIf(process.platform === 'win32')('[F-B10] of files that others may read or write', () => {
  const folder = folderOf({ 'gateway.json': '{}', 'gateway.db': '', 'shop.key': SHOP.controlKey })
  const file = join(folder, 'gateway.json')
  const byFile = [{ login: 'shop', controlKeyFile: 'shop.key', endpoints: [{ id: 1 }] }]
  const ofAll = () => [warned({ store: 'gateway.db' }, { file }), warned({ merchants: byFile }, { file })]
  expect(ofAll()).toEqual([[], []])
  chmodSync(file, 0o644)
  chmodSync(join(folder, 'shop.key'), 0o644)
  expect(ofAll()).toEqual([['the configuration'], ['controlKeyFile']])
  writeFileSync(join(folder, 'operator.key'), '', { mode: 0o644 })
  expect(warned({}, { file })).toEqual(['the configuration', 'operatorKeyFile'])
  chmodSync(join(folder, 'operator.key'), 0o600)
  chmodSync(file, 0o666)
  chmodSync(join(folder, 'gateway.db'), 0o666)
  expect(ofAll()).toEqual([
    ['the configuration', 'the configuration', 'store'],
    ['the configuration', 'controlKeyFile'],
  ])
})
