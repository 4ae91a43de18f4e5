import { chmodSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testDatabase } from '@tallystick/test-postgres'
import { describe, expect, test } from 'vitest'
import { gatewayOf } from '../../src/cli/gateway-of.ts'
import { ConfigurationError, parseConfiguration } from '../../src/cli/read-configuration.ts'
import { newVaultKeys } from '../../src/index.ts'
import { pooledRandomness, systemClock } from '../../src/runtime/system.ts'
import { shopKeys } from '../support/desk.ts'
import { folderOf } from '../support/folder.ts'
import { BASE_URL, fieldsOf, oauthSigned, SHOP, sale, status } from '../support/signed-requests.ts'

const ENDPOINTS = [{ id: 1111 }]
const BY_KEY = { login: 'shop', controlKey: SHOP.controlKey, endpoints: ENDPOINTS }
const newKeys = () => newVaultKeys(pooledRandomness(), 'first')

function start(configuration: object, folder: string) {
  const read = parseConfiguration(JSON.stringify({ acquirer: 'simulator', ...configuration }), 'gateway.json')
  return gatewayOf({ ...read, publicUrl: BASE_URL }, { folder, newKeys }, {})
}

async function wrong(configuration: object, folder: string): Promise<string> {
  try {
    await start(configuration, folder)
  } catch (error) {
    return error instanceof ConfigurationError || error instanceof TypeError ? error.message : String(error)
  }
  return 'none'
}

describe('a gateway of a configuration', () => {
  test('[F-D2] has the simulator as its bank outside a sandbox only if the configuration names it', async () => {
    const merchants = [BY_KEY]
    expect(await wrong({ acquirer: undefined, merchants }, folderOf())).toMatch(/^acquirer: is not given, /)
    for (const asked of [{ acquirer: 'simulator' }, { acquirer: undefined, sandbox: true }]) {
      const gateway = await start({ ...asked, merchants }, folderOf())
      expect(await gateway.handle(sale())).toMatchObject({ status: 200 })
      await gateway.close()
    }
  })

  test('has no key if its file is empty, and says which', async () => {
    const folder = folderOf({ 'shop.key': ' \n' })
    const merchants = [{ login: 'shop', controlKeyFile: 'shop.key', endpoints: ENDPOINTS }]
    expect(await wrong({ merchants }, folder)).toBe('merchants[0].controlKeyFile: shop.key is empty')
  })

  test('reads the files of its keys, relative to the configuration', async () => {
    const folder = folderOf({ 'shop.key': `${SHOP.controlKey}\n`, 'shop.pub.pem': shopKeys.publicKey })
    const merchant = { login: 'shop', controlKeyFile: 'shop.key', publicKeyFile: 'shop.pub.pem', endpoints: ENDPOINTS }
    const gateway = await start({ merchants: [merchant] }, folder)
    expect(await gateway.handle(sale())).toMatchObject({ status: 200 })
    const pay = { login: 'shop', client_orderid: 'inv-1', orderid: '123456789012345' }
    const timestamp = Math.floor(gateway.clock.now() / 1000)
    const signing = { method: 'RSA-SHA256', key: shopKeys.privateKey, timestamp }
    const reply = await gateway.handle(oauthSigned('/api/v4/payout-pay/1111', pay, signing))
    expect([reply.status, fieldsOf(reply)['error-code']]).toEqual([400, '2'])
    await gateway.close()
  })

  test('does not start on a file whose amounts have other decimals', async () => {
    const folder = folderOf()
    const configuration = { store: 'gateway.db', merchants: [BY_KEY] }
    const first = await start(configuration, folder)
    await first.close()
    const said = await wrong({ ...configuration, exponents: 'iso-4217' }, folder)
    expect(said).toContain('store: The amounts in this store are counted with the exponents always-2')
    const next = await start(configuration, folder)
    await next.close()
  })

  test("starts with the README's configuration, copied as it is beside the control key that the README makes", async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
    const [, copied = ''] = /## As a command.*?```json\n(.*?)```/s.exec(readme) ?? []
    const gateway = await start(JSON.parse(copied), folderOf({ 'test-login.key': `${SHOP.controlKey}\n` }))
    expect(await gateway.isReady()).toBe(true)
    await gateway.close()
  })

  test('has the options of the configuration', async () => {
    const options = { replyFormat: 'classic', numericIds: true, allowRepeats: true, exponents: 'iso-4217' }
    const gateway = await start({ ...options, merchants: [BY_KEY] }, folderOf())
    const bare = { ...sale(), headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const replies = [await gateway.handle(bare), await gateway.handle(bare)]
    expect(replies.map(({ headers }) => headers['content-type'])).toEqual(Array(2).fill('text/html;charset=utf-8'))
    expect(replies[0]?.body).not.toBe(replies[1]?.body)
    await gateway.close()
  })

  test('that is a sandbox has faults by its seed, and a running clock that can be advanced', async () => {
    const gateway = await start(
      { sandbox: true, faults: { seed: 1, only: ['overloaded'] }, merchants: [BY_KEY] },
      folderOf(),
    )
    expect(gateway.faults.seed).toBe(1)
    expect((await gateway.handle(sale()))['status']).toBe(503)
    const { clock } = gateway
    if (!('advance' in clock) || typeof clock.advance !== 'function') throw new Error('The clock cannot be told')
    const before = clock.now()
    await clock.advance('1d')
    expect(clock.now() - before).toBeGreaterThanOrEqual(86_400_000)
    await gateway.close()
  })

  test('that is not a sandbox has the clock of the machine', async () => {
    const gateway = await start({ merchants: [BY_KEY] }, folderOf())
    expect([gateway.clock, gateway.sandbox]).toEqual([systemClock, undefined])
    await gateway.close()
  })

  test('tells its listeners', async () => {
    const heard: string[] = []
    const read = parseConfiguration(JSON.stringify({ acquirer: 'simulator', merchants: [BY_KEY] }), 'gateway.json')
    const onAnswer = ({ operation = '' }) => void heard.push(operation)
    const gateway = await gatewayOf({ ...read, publicUrl: BASE_URL }, { folder: folderOf(), newKeys }, { onAnswer })
    await gateway.handle(sale())
    await gateway.close()
    expect(heard).toEqual(['sale'])
  })
})

describe('the vault key file', () => {
  test.skipIf(process.platform === 'win32').for([0o644, 0o604, 0o620, 0o602])(
    '[F-B10] is refused if others may read or write it: mode %o',
    async (mode) => {
      const folder = folderOf({ 'vault.keys': newKeys().reveal() })
      chmodSync(join(folder, 'vault.keys'), mode)
      const configuration = { store: 'gateway.db', vaultKeyFile: 'vault.keys', merchants: [BY_KEY] }
      expect(await wrong(configuration, folder)).toMatch(
        /^vaultKeyFile: .*vault\.keys has mode \d{4}, so .*: chmod 600 /,
      )
      chmodSync(join(folder, 'vault.keys'), 0o640)
      await (await start(configuration, folder)).close()
    },
  )

  test.for(['utf16le', 'utf8'] as const)(
    '[F-C9] is read as Windows saves it, as are the other files: %s',
    async (encoding) => {
      const folder = folderOf()
      const merchant = { login: 'shop', controlKeyFile: 'shop.key', publicKeyFile: 'shop.pem', endpoints: ENDPOINTS }
      const files = { 'vault.keys': newKeys().reveal(), 'shop.key': SHOP.controlKey, 'shop.pem': shopKeys.publicKey }
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(folder, name), `\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`, { encoding, mode: 0o600 })
      const gateway = await start({ vaultKeyFile: 'vault.keys', merchants: [merchant] }, folder)
      expect(await gateway.handle(sale())).toMatchObject({ status: 200 })
      await gateway.close()
    },
  )

  test('is made if there is none, readable only by its owner, and read if there is one', async () => {
    const folder = folderOf()
    const configuration = { vaultKeyFile: 'vault.keys', merchants: [BY_KEY] }
    await (await start(configuration, folder)).close()
    const file = join(folder, 'vault.keys')
    const made = readFileSync(file, 'utf8')
    expect(JSON.parse(made)).toMatchObject({ current: 'first' })
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    await (await start(configuration, folder)).close()
    expect(readFileSync(file, 'utf8')).toBe(made)
  })

  test('is not needed by a store in memory', async () => {
    const folder = folderOf()
    await (await start({ merchants: [BY_KEY] }, folder)).close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('is beside the database by default', async () => {
    const folder = folderOf()
    const gateway = await start({ store: 'gateway.db', merchants: [BY_KEY] }, folder)
    expect(await gateway.handle(sale())).toMatchObject({ status: 200 })
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['gateway.db', 'gateway.db.keys']))
    expect(await wrong({ store: 'gateway.db', merchants: [BY_KEY] }, folder)).toMatch(/^store: /)
    await gateway.close()
  })

  test('is not made for an existing database: its cards need the one that it was made with', async () => {
    const folder = folderOf({ 'gateway.db': '' })
    const configuration = { store: 'gateway.db', merchants: [BY_KEY] }
    await (await start(configuration, folder)).close()
    renameSync(join(folder, 'gateway.db.keys'), join(folder, 'copy.keys'))
    expect(await wrong(configuration, folder)).toBe(
      'vaultKeyFile: gateway.db.keys does not exist, but gateway.db does: restore its key file from the copy, or name another store; new keys would open none of its cards',
    )
    expect(readdirSync(folder).sort()).toEqual(['copy.keys', 'gateway.db'])
    await (await start({ ...configuration, vaultKeyFile: 'copy.keys' }, folder)).close()
  })

  test('that is damaged or cannot be written is named, and not quoted', async () => {
    const folder = folderOf({ 'vault.keys': '{ "current": "hunter2"' })
    const message = await wrong({ vaultKeyFile: 'vault.keys', merchants: [BY_KEY] }, folder)
    expect(message).toMatch(/^vaultKeyFile: /)
    expect(message).not.toContain('hunter2')
    expect(await wrong({ vaultKeyFile: 'none/vault.keys', merchants: [BY_KEY] }, folder)).toBe(
      'vaultKeyFile: none/vault.keys cannot be written (ENOENT): is its folder there, and writable?',
    )
    expect(await wrong({ store: 'none/gateway.db', merchants: [BY_KEY] }, folder)).toBe(
      'store: none/gateway.db.keys cannot be written (ENOENT): is its folder there, and writable?',
    )
    expect(await wrong({ vaultKeyFile: '.', merchants: [BY_KEY] }, folder)).toMatch(/^vaultKeyFile: \. cannot be /)
  })
})

describe('a setting that is wrong is named', () => {
  test.for([
    [{ login: 'shop', endpoints: ENDPOINTS }, 'merchants[0]: give it either a controlKey or a controlKeyFile'],
    [{ ...BY_KEY, controlKeyFile: 'shop.key' }, 'merchants[0]: give it either a controlKey or a controlKeyFile'],
    [
      { login: 'shop', controlKeyFile: 'shop.key', endpoints: ENDPOINTS },
      'merchants[0].controlKeyFile: shop.key cannot be read (ENOENT)',
    ],
    [{ ...BY_KEY, publicKeyFile: 'shop.pem' }, 'merchants[0].publicKeyFile: shop.pem cannot be read (ENOENT)'],
    [{ ...BY_KEY, endpoints: [{ id: 1 }, { id: '1' }] }, 'merchants: two endpoints or groups have the same id'],
    [
      { ...BY_KEY, endpoints: [{ id: 1, requiredFields: ['nothing'] }] },
      'merchants[0].endpoints[0].requiredFields: no request has a field nothing',
    ],
  ] as const)('%j', async ([merchant, problem]) => {
    const message = await wrong({ merchants: [merchant] }, folderOf())
    expect(message).toContain(problem)
    expect(message).not.toContain(SHOP.controlKey)
  })

  test('a file that holds no public key', async () => {
    const merchants = [{ ...BY_KEY, publicKeyFile: 'shop.pem' }]
    expect(await wrong({ merchants }, folderOf({ 'shop.pem': 'no key' }))).toBe(
      'merchants[0].publicKeyFile: this cannot be the RSA public key: it is not PEM: such a text begins with a line like -----BEGIN PUBLIC KEY-----',
    )
  })

  test('an empty file of a control key', async () => {
    const merchant = { login: 'shop', controlKeyFile: 'shop.key', endpoints: ENDPOINTS }
    expect(await wrong({ merchants: [merchant] }, folderOf({ 'shop.key': '\n' }))).toMatch(/empty/)
  })
})

describe('a store whose name is most likely a slip makes no file of that name', () => {
  test.for([
    ['Memory', 'write memory for a store in memory, or ./Memory for a database file of that name'],
    [':memory:', 'write memory for a store in memory, or ./:memory: for a database file of that name'],
    ['memory ', 'write memory for a store in memory, or ./memory  for a database file of that name'],
    ['postgres', 'write postgres://USER@HOST/DATABASE for PostgreSQL, or ./postgres for a database file of that name'],
    [
      'SQLite',
      'write the name of a database file, such as gateway.db, for SQLite, or ./SQLite for a database file of that name',
    ],
  ])('%j', async ([store, advice]) => {
    const folder = folderOf()
    expect(await wrong({ store, merchants: [BY_KEY] }, folder)).toBe(`store: ${advice}`)
    expect(readdirSync(folder)).toEqual([])
  })

  test.for([
    'sqlite:gateway.db',
    'file:///srv/gateway.db',
    'postgres:u:hunter2@db.example.com/payments',
    'u:hunter2@db.example.com/payments',
    'hunter2@db.example.com/payments',
    'localhost:5432/hunter2',
    'mysql://u:hunter2@db.example.com/payments',
  ])('%s', async (store) => {
    const folder = folderOf()
    expect(await wrong({ store, vaultKeyFile: 'vault.keys', merchants: [BY_KEY] }, folder)).toBe(
      'store: is neither a PostgreSQL address like postgres://USER@HOST/DATABASE nor a file name: write a file name without sqlite: or file:, and with ./ before it if it looks like an address',
    )
    expect(readdirSync(folder)).toEqual([])
  })

  test.for(['./Memory', 'gateway', 'memory.db'])('%s is a file', async (store) => {
    const folder = folderOf()
    await (await start({ store, merchants: [BY_KEY] }, folder)).close()
    expect(readdirSync(folder)).toHaveLength(2)
  })
})

test('faults without a sandbox are refused before anything is opened', async () => {
  const folder = folderOf()
  expect(await wrong({ faults: {}, store: 'gateway.db', merchants: [BY_KEY] }, folder)).toBe(
    'faults: for a sandbox alone; add --sandbox, or "sandbox": true',
  )
  expect(readdirSync(folder)).toEqual([])
})

describe('a gateway on PostgreSQL', () => {
  test('stores its orders there, under the given keys', async () => {
    const database = await testDatabase()
    const folder = folderOf({ 'vault.keys': newKeys().reveal() })
    const configuration = { store: database.url, vaultKeyFile: 'vault.keys', merchants: [BY_KEY] }
    const first = await start(configuration, folder)
    const acknowledged = fieldsOf(await first.handle(sale()))
    await first.close()
    const next = await start(configuration, folder)
    expect(await next.isReady()).toBe(true)
    const known = { client_orderid: 'inv-1', orderid: acknowledged['paynet-order-id'] ?? '' }
    expect(fieldsOf(await next.handle(status(known)))['status']).toBe('approved')
    await next.close()
    await database.close()
  })

  test('says what is missing or wrong', async () => {
    const database = await testDatabase()
    const folder = folderOf({ 'vault.keys': newKeys().reveal() })
    const configuration = { store: database.url, vaultKeyFile: 'vault.keys', merchants: [BY_KEY] }
    expect(await wrong({ ...configuration, vaultKeyFile: undefined }, folder)).toContain('the same key file')
    expect(await wrong({ ...configuration, vaultKeyFile: 'other.keys' }, folder)).toContain('cannot be read')
    const stranger = new URL(database.url)
    stranger.password = 'guessed'
    const said = await wrong({ ...configuration, store: stranger.href }, folder)
    expect(said).toContain('store: The database refuses: password authentication failed')
    expect(said).not.toContain('guessed')
    await database.close()
  })

  test('that has another key file than the others does not start', async () => {
    const database = await testDatabase()
    const configuration = { store: database.url, vaultKeyFile: 'vault.keys', merchants: [BY_KEY] }
    const first = await start(configuration, folderOf({ 'vault.keys': newKeys().reveal() }))
    const said = await wrong(configuration, folderOf({ 'vault.keys': newKeys().reveal() }))
    expect(said).toMatch(/^store: The vault key .* use the key file of the other gateways/)
    await first.close()
    await database.close()
  })

  test.for([
    ['postgres://u:hunter2@db.example.com:99999/payments', 'store: is no address'],
    ['postgres://u:hunter2@db.example.com/payments', 'store: beyond this machine it needs sslmode=verify-full'],
  ] as const)('at %s is refused before it is tried', async ([store, why]) => {
    const folder = folderOf({ 'vault.keys': newKeys().reveal() })
    const said = await wrong({ store, vaultKeyFile: 'vault.keys', merchants: [BY_KEY] }, folder)
    expect(said).toContain(why)
    expect(said).not.toContain('hunter2')
  })
})
