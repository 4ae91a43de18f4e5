import { describe, expect, test } from 'vitest'
import { createGateway, type GatewayOptions, memoryStore, newVaultKeys, readVaultKeys } from '../src/index.ts'
import { pooledRandomness } from '../src/rims/vault-randomness.ts'
import { merchants } from './support/signed-requests.ts'

/** What `createGateway` says to these options of a program without types. */
function problemOf(changes: object): string {
  const options = { publicUrl: 'https://gate.example.com', merchants: merchants(), ...changes } as GatewayOptions
  try {
    void createGateway(options).close()
  } catch (error) {
    return error instanceof TypeError ? error.message : `another kind of error: ${String(error)}`
  }
  return 'none'
}

const durable = { ...memoryStore(), durable: true }

describe('an option of the wrong kind is named', () => {
  test.for<readonly [object, string]>([
    [{ publicUrl: 42 }, 'publicUrl: must be a text'],
    [{ merchants: undefined }, 'merchants: must be a list'],
    [{ merchants: { login: 'shop' } }, 'merchants: must be a list'],
    [{ store: 'gateway.db' }, 'store: must be a store, such as sqliteStore(file): an object with commit, '],
    [{ store: { commit: () => {} } }, 'store: must be a store'],
    [{ vaultKeys: '{}' }, 'vaultKeys: must be what readVaultKeys(text) gives'],
    [{ vaultKeys: { wrapping: {} } }, 'vaultKeys: must be what readVaultKeys(text) gives'],
    [
      { acquirer: { execute: () => {} } },
      'acquirer: must be an acquirer: an object with prepare, execute, authenticate',
    ],
    [{ clock: 5 }, 'clock: must be a clock, such as virtualClock(): an object with now, schedule'],
    [{ clock: null }, 'clock: must be a clock'],
    [{ ids: () => '1' }, 'ids: must be a source of ids'],
    [{ sendCallback: 'https://shop.example.com' }, 'sendCallback: must be a function'],
    [{ replyFormat: 'xml' }, "replyFormat: must be 'json' or 'classic'"],
    [{ sandbox: 'yes' }, 'sandbox: must be true or false'],
    [{ chaos: 4711, sandbox: true }, 'chaos: must be an object'],
    [{ allowRepeats: 1 }, 'allowRepeats: must be true or false'],
    [{ numericIds: 'no' }, 'numericIds: must be true or false'],
    [{ maxConcurrentRequests: Number.NaN }, 'maxConcurrentRequests: must be a whole number from 1 on'],
    [{ maxConcurrentRequests: 0 }, 'maxConcurrentRequests: must be a whole number from 1 on'],
    [{ maxConcurrentRequests: 1.5 }, 'maxConcurrentRequests: must be a whole number from 1 on'],
    [{ maxConcurrentRequests: '10' }, 'maxConcurrentRequests: must be a whole number from 1 on'],
    [{ profile: 'default' }, 'profile: must be an object'],
    [{ onAnswer: {} }, 'onAnswer: must be a function'],
    [{ onError: true }, 'onError: must be a function'],
    [{ onEror: () => {} }, 'onEror: there is no such option; there are publicUrl, merchants, '],
    [{ toString: () => '' }, 'toString: there is no such option'],
  ])('%o', ([changes, problem]) => {
    expect(problemOf(changes)).toContain(problem)
  })

  test.for([undefined, null, 'options', []])('the options as a whole: %j', (options) => {
    expect(() => createGateway(options as never)).toThrow('createGateway takes an object of options')
  })

  test('and none where all are as they should be, or left out', () => {
    const leftOut = { store: undefined, clock: undefined, onError: undefined, sandbox: undefined, chaos: undefined }
    expect(problemOf(leftOut)).toBe('none')
    expect(problemOf({ maxConcurrentRequests: 1, sandbox: true, chaos: {}, onAnswer: () => {} })).toBe('none')
  })
})

describe('a store that outlives the process', () => {
  test('needs vault keys that do, too: the cards in it would open for nobody', () => {
    expect(problemOf({ store: durable })).toMatch(
      /^vaultKeys: the store outlives the process, .*tallystick-gateway keys/,
    )
  })

  test('is taken with them', () => {
    const vaultKeys = readVaultKeys(newVaultKeys(pooledRandomness(), 'first').reveal())
    expect(problemOf({ store: durable, vaultKeys })).toBe('none')
  })
})
