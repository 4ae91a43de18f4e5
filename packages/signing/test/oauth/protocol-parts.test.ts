import { describe, expect, test } from 'vitest'
import { noParts, partsFor } from '../../src/oauth/parameter-plans.ts'
import { catchSigningError } from '../catch-signing-error.ts'

const sender = { method: 'HMAC-SHA1', consumerKey: 'shop', timestamp: 1_669_966_913, realm: undefined }

describe('partsFor', () => {
  test('makes the parts once for the same sender and second', () => {
    const last = noParts()
    const made = partsFor(last, sender)
    expect(partsFor(last, { ...sender })).toBe(made)
  })

  test.for([
    ['second', { timestamp: 1_669_966_914 }, { timestamp: '1669966914' }],
    ['consumer key', { consumerKey: 'another' }, { consumerKey: 'another' }],
    ['realm', { realm: 'Photos' }, { realm: 'Photos' }],
  ] as const)('makes other parts for another %s', ([, change, header]) => {
    const last = noParts()
    const made = partsFor(last, sender)
    const other = partsFor(last, { ...sender, ...change })
    expect(other).not.toBe(made)
    expect(other.header).toMatchObject(header)
    expect(partsFor(last, sender)).toEqual(made)
  })

  test('keeps the last parts if the next input is refused', () => {
    const last = noParts()
    const made = partsFor(last, sender)
    for (const change of [{ timestamp: Number.NaN }, { consumerKey: '' }, { realm: '\n' }]) {
      expect(catchSigningError(() => partsFor(last, { ...sender, ...change })).code).toBe('BAD_ARGUMENT')
    }
    expect(partsFor(last, sender)).toBe(made)
  })
})
