import { defineProfile } from '@tallystick/core'
import { describe, expect, test } from 'vitest'
import {
  createGateway,
  createSandbox,
  type GatewayOptions,
  memoryStore,
  newVaultKeys,
  readVaultKeys,
  simulator,
} from '../src/index.ts'
import { rotateCards } from '../src/key-rotation/rotate-cards.ts'
import { postgresStore } from '../src/postgres.ts'
import { pooledRandomness } from '../src/runtime/system.ts'
import { sqliteStore } from '../src/sqlite.ts'
import { createVault } from '../src/vault/vault.ts'
import { merchants } from './support/signed-requests.ts'

/** The error of `createGateway` with these options, which a program without types may give. */
function problemOf(changes: object): string {
  const options = {
    publicUrl: 'https://gate.example.com',
    merchants: merchants(),
    acquirer: simulator(),
    ...changes,
  } as GatewayOptions
  try {
    void createGateway(options).close()
  } catch (error) {
    return error instanceof TypeError ? error.message : `another kind of error: ${String(error)}`
  }
  return 'none'
}

const durable = { ...memoryStore(), durable: true }

const [shop] = merchants()
const endpoint = { id: '1' }
const AT = 'merchants[0].endpoints[0]'

describe('what would leave a limit of a merchant out of force is named', () => {
  test.for<readonly [object, string]>([
    [
      { endpoints: [{ ...endpoint, limit: { max: '500.00' } }] },
      `${AT}: there is no option limit; did you mean limits?`,
    ],
    [
      { endpoints: [{ ...endpoint, limits: { maximum: '500.00' } }] },
      `${AT}.limits: there is no option maximum; there`,
    ],
    [{ endpoints: [{ ...endpoint, limits: '500.00' }] }, `${AT}: limits must be an object`],
    [{ endpoints: [{ ...endpoint, limits: { max: 500 } }] }, `${AT}.limits: max must be a text`],
    [
      { endpoints: [{ ...endpoint, currency: ['EUR'] }] },
      `${AT}: there is no option currency; did you mean currencies?`,
    ],
    [{ endpoints: [{ ...endpoint, currencies: 'EUR' }] }, `${AT}: currencies must be a list`],
    [{ endpoints: [{ ...endpoint, requiredFields: 'firstName' }] }, `${AT}: requiredFields must be a list`],
    [{ endpoints: [{ ...endpoint, holdfor: '1d' }] }, `${AT}: there is no option holdfor; did you mean holdFor?`],
    [
      { endpoints: [{ ...endpoint, charges: { timezone: 'Europe/Berlin' } }] },
      `${AT}.charges: there is no option timezone`,
    ],
    [{ endpoints: [null] }, `${AT}: the options must be an object`],
    [{ endpoints: '1' }, 'merchants[0]: endpoints must be a list'],
    [{ groups: 'all' }, 'merchants[0]: groups must be a list'],
    [{ groups: [{ id: 2, endpoint: ['1'] }] }, 'merchants[0].groups[0]: there is no option endpoint; did you mean'],
    [{ publickey: 'a key' }, 'merchants[0]: there is no option publickey; did you mean publicKey?'],
  ])('%o', ([changes, problem]) => {
    expect(problemOf({ merchants: [{ ...shop, ...changes }] })).toContain(problem)
  })
})

describe('an option of the wrong kind is named', () => {
  test.for<readonly [object, string]>([
    [{ publicUrl: 42 }, 'createGateway: publicUrl must be a text'],
    [{ merchants: undefined }, 'createGateway: merchants must be given: a list'],
    [{ merchants: { login: 'shop' } }, 'createGateway: merchants must be a list'],
    [{ store: 'gateway.db' }, 'createGateway: store must be a store, such as sqliteStore({ file }), with commit(), '],
    [{ store: { commit: () => {} } }, 'createGateway: store must be a store'],
    [{ vaultKeys: '{}' }, 'createGateway: vaultKeys must be what readVaultKeys(text) gives'],
    [{ vaultKeys: { wrapping: {} } }, 'createGateway: vaultKeys must be what readVaultKeys(text) gives'],
    [
      { acquirer: { execute: () => {} } },
      'createGateway: acquirer must be an acquirer, with tokenize(), execute(), authenticate()',
    ],
    [{ clock: 5 }, 'createGateway: clock must be a clock, such as virtualClock(), with now(), schedule()'],
    [{ clock: null }, 'createGateway: clock must be a clock'],
    [{ ids: () => '1' }, 'createGateway: ids must be a source of ids'],
    [{ sendCallback: 'https://shop.example.com' }, 'createGateway: sendCallback must be a function'],
    [{ replyFormat: 'xml' }, "createGateway: replyFormat must be 'json' or 'classic'"],
    [{ sandbox: 'yes' }, 'createGateway: sandbox must be true or false'],
    [{ faults: 4711, sandbox: true }, 'createGateway: faults must be an object'],
    [{ allowRepeats: 1 }, 'createGateway: allowRepeats must be true or false'],
    [{ numericIds: 'no' }, 'createGateway: numericIds must be true or false'],
    [{ maxConcurrentRequests: Number.NaN }, 'createGateway: maxConcurrentRequests must be a whole number from 1 on'],
    [{ maxConcurrentRequests: 0 }, 'createGateway: maxConcurrentRequests must be a whole number from 1 on'],
    [{ maxConcurrentRequests: 1.5 }, 'createGateway: maxConcurrentRequests must be a whole number from 1 on'],
    [{ maxConcurrentRequests: '10' }, 'createGateway: maxConcurrentRequests must be a whole number from 1 on'],
    [{ profile: 'default' }, 'createGateway: profile must be an object'],
    [{ profile: { exponent: 'iso-4217' } }, 'createGateway: profile: there is no option exponent; did you mean'],
    [{ onAnswer: {} }, 'createGateway: onAnswer must be a function'],
    [{ onError: true }, 'createGateway: onError must be a function'],
    [{ onEror: () => {} }, 'createGateway: there is no option onEror; did you mean onError?'],
    [{ port: 80 }, 'createGateway: there is no option port; there are publicUrl, merchants, '],
    [{ toString: () => '' }, 'createGateway: there is no option toString; there are publicUrl, '],
  ])('%o', ([changes, problem]) => {
    expect(problemOf(changes)).toContain(problem)
  })

  test.for([undefined, null, 'options', []])('the options as a whole: %j', (options) => {
    expect(() => createGateway(options as never)).toThrow('createGateway: the options must be an object')
  })

  test('and none where all are as they should be, or left out', () => {
    const leftOut = { store: undefined, clock: undefined, onError: undefined, sandbox: undefined, faults: undefined }
    expect(problemOf(leftOut)).toBe('none')
    expect(problemOf({ maxConcurrentRequests: 1, sandbox: true, faults: {}, onAnswer: () => {} })).toBe('none')
  })

  test('nor where the profile is that of a client, with its address', () => {
    expect(problemOf({ profile: defineProfile({ baseUrl: 'https://gate.example.com/paynet' }) })).toBe('none')
  })
})

describe('a store that outlives the process', () => {
  test('needs vault keys that do, too: the cards in it would open for nobody', () => {
    expect(problemOf({ store: durable })).toMatch(
      /^createGateway: vaultKeys must be given: the store outlives the process, .*tallystick-gateway keys/,
    )
  })

  test('is taken with them', () => {
    const vaultKeys = readVaultKeys(newVaultKeys(pooledRandomness(), 'first').reveal())
    expect(problemOf({ store: durable, vaultKeys })).toBe('none')
  })
})

/** Calls a method as a program without types may: with anything, or with nothing at all. */
function given<Given extends unknown[]>(method: (...values: Given) => unknown) {
  return async (...values: unknown[]): Promise<unknown> => await Reflect.apply(method, undefined, values)
}

describe('what lacks all that it needs names that', () => {
  const gateway = createGateway({ publicUrl: 'https://gate.example.com', merchants: merchants(), sandbox: true })
  const noObject = 'the options must be an object'

  test.for<readonly [string, () => Promise<unknown>, string]>([
    ['createSandbox', given(createSandbox), 'createSandbox: gateway must be given: what createGateway gives'],
    ['createVault', given(createVault), `createVault: ${noObject}`],
    ['createVault, of keys', () => given(createVault)({}), 'createVault: keys must be given: what readVaultKeys(text)'],
    ['rotateCards', given(rotateCards), `rotateCards: ${noObject}`],
    ['rotateCards, of a store', () => given(rotateCards)({}), 'rotateCards: store must be given: a store, such as'],
    ['simulator', () => given(simulator)(null), `simulator: ${noObject}`],
    [
      'simulator, of an authentication',
      () => given(simulator)({ authentication: 'frictionless' }),
      "simulator: authentication must be 'challenge' or 'method' or ",
    ],
    ['sqliteStore', given(sqliteStore), `sqliteStore: ${noObject}`],
    [
      'sqliteStore, of nothing',
      () => given(sqliteStore)({}),
      'sqliteStore: file must be given: the name of a file, such as',
    ],
    ['sqliteStore, of a name', () => given(sqliteStore)({ file: '' }), 'sqliteStore: file must be the name of a file'],
    [
      'sqliteStore, of memory',
      () => given(sqliteStore)({ file: ':memory:' }),
      'what is in memory alone is memoryStore()',
    ],
    ['postgresStore', given(postgresStore), `postgresStore: ${noObject}`],
    ['postgresStore, of an address', () => given(postgresStore)({}), 'connectionString: must be an address such as'],
    ['recordOutcome', given(gateway.recordOutcome), 'recordOutcome: operationId must be given: a text'],
    [
      'recordOutcome, of an outcome',
      () => given(gateway.recordOutcome)('100000000000001-1'),
      "recordOutcome: decision must be given: what became of it, such as { status: 'approved', ... }",
    ],
  ])('%s', async ([, act, message]) => {
    const thrown = await act().catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(TypeError)
    expect(String(thrown)).toContain(message)
  })
})

test('a Node that is too old is named at once', () => {
  const { withResolvers } = Promise
  Reflect.deleteProperty(Promise, 'withResolvers')
  try {
    expect(() => createGateway({} as never)).toThrow(
      `createGateway: Node ${process.version} is too old; it needs Node 22.19, 24.11, 26 or newer`,
    )
  } finally {
    Promise.withResolvers = withResolvers
  }
})
