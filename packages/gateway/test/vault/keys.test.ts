import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { newVaultKeys, readVaultKeys } from '../../src/vault/keys.ts'
import { errorOf, random } from './cards.ts'

/** Base64 of 32 bytes of this value. */
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')

const FILE = { current: '2026-11', wrapping: { '2026-11': key(1), '2026-05': key(2) }, fingerprint: key(3) }

const read = (changes: object) => readVaultKeys(JSON.stringify({ ...FILE, ...changes }))

describe('readVaultKeys', () => {
  test('reads the keys of a file', () => {
    const { current, wrapping, fingerprint } = read({})
    expect(current).toBe('2026-11')
    expect([...wrapping].map(([id, wrappingKey]) => [id, wrappingKey.export()])).toEqual([
      ['2026-11', Buffer.alloc(32, 1)],
      ['2026-05', Buffer.alloc(32, 2)],
    ])
    expect(fingerprint.export()).toEqual(Buffer.alloc(32, 3))
  })

  test.for([
    ['the key file is not an object', []],
    ['the key file is not an object', null],
    ['the key file has an entry that is not known', { ...FILE, fingerprnt: key(4) }],
    ['wrapping is not an object', { ...FILE, wrapping: key(1) }],
    ['wrapping is not an object', { ...FILE, wrapping: [key(1)] }],
    ['wrapping is not an object', { current: 'a', fingerprint: key(3) }],
    ['wrapping has an id that is not 1 to 32 letters, digits or ._-', { ...FILE, wrapping: { [key(1)]: 'a' } }],
    ['wrapping has an id that is not 1 to 32 letters, digits or ._-', { ...FILE, wrapping: { '': key(1) } }],
    ['wrapping.2026-11 is not a text', { ...FILE, wrapping: { '2026-11': 1 } }],
    ['wrapping.2026-11 is not base64 of 32 bytes', { ...FILE, wrapping: { '2026-11': '' } }],
    ['wrapping.2026-11 is not base64 of 32 bytes', { ...FILE, wrapping: { '2026-11': `${key(1)}\n` } }],
    ['wrapping.2026-11 is not base64 of 32 bytes', { ...FILE, wrapping: { '2026-11': key(1).replace('=', '') } }],
    ['wrapping.2026-11 is not base64 of 32 bytes', { ...FILE, wrapping: { '2026-11': '01'.repeat(32) } }],
    ['wrapping.2026-05 is the same key as an entry before it', { ...FILE, wrapping: { a: key(1), '2026-05': key(1) } }],
    ['current is not the id of a wrapping key', { ...FILE, current: '2026-12' }],
    ['current is not the id of a wrapping key', { ...FILE, current: 'toString' }],
    ['current is not the id of a wrapping key', { ...FILE, wrapping: {} }],
    ['current is not the id of a wrapping key', { wrapping: FILE.wrapping, fingerprint: key(3) }],
    ['fingerprint is not a text', { current: '2026-11', wrapping: FILE.wrapping }],
    ['fingerprint is not base64 of 32 bytes', { ...FILE, fingerprint: Buffer.alloc(31, 3).toString('base64') }],
    ['fingerprint is the same key as an entry before it', { ...FILE, fingerprint: key(2) }],
  ] as const)('%s', ([message, file]) => {
    expect(errorOf(() => readVaultKeys(JSON.stringify(file)))).toEqual(new TypeError(message))
  })

  test('quotes nothing of a file that is not JSON', () => {
    const error = errorOf(() => readVaultKeys(key(1)))
    expect(error).toEqual(new TypeError('the key file is not JSON'))
    expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain(key(1).slice(0, 5))
  })

  test('gives keys that do not print', () => {
    const keys = read({})
    const printed = [
      inspect(keys, { showHidden: true, depth: 9 }),
      JSON.stringify(keys),
      String(keys.fingerprint),
    ].join()
    for (const byte of [1, 2, 3]) {
      const bytes = Buffer.alloc(8, byte)
      const spelled = [
        bytes.toString('hex'),
        bytes.toString('base64').slice(0, 10),
        inspect(bytes).slice(8, 20),
        bytes.join(),
      ]
      expect(spelled.filter((spelling) => printed.includes(spelling))).toEqual([])
    }
  })
})

describe('newVaultKeys', () => {
  test('makes files that can be read, whose keys all differ', () => {
    const made = [newVaultKeys(random, '2026-11'), newVaultKeys(random, '2026-11')].map((file) => {
      const { current, wrapping, fingerprint } = readVaultKeys(file.reveal())
      expect(current).toBe('2026-11')
      expect([...wrapping.keys()]).toEqual(['2026-11'])
      return [...wrapping.values(), fingerprint].map((one) => one.export().toString('hex'))
    })
    expect(new Set(made.flat()).size).toBe(4)
  })

  test('gives a text that does not print', () => {
    expect(inspect(newVaultKeys(random, '2026-11'), { showHidden: true })).toBe('[secret]')
  })

  test.for([
    [[random, 'next year'], 'id must be the id of the new key, 1 to 32 letters, digits or ._-, such as 2026-11'],
    [[random, 7], 'id must be the id of the new key'],
    [[random], 'id must be given: the id of the new key'],
    [[], 'random must be given: a function that fills bytes, (bytes) => void crypto.getRandomValues(bytes)'],
    [['2026-11'], 'random must be a function that fills bytes'],
  ])('refuses %o, and says what it wants', ([given, problem]) => {
    const make = () => newVaultKeys(...(given as unknown as Parameters<typeof newVaultKeys>))
    expect(make).toThrow(TypeError)
    expect(make).toThrow(`newVaultKeys: ${problem}`)
  })
})
