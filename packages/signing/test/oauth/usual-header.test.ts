import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAuthorizationHeader } from '../../src/index.ts'
import { formatAuthorizationHeader } from '../../src/oauth/oauth-header.ts'
import { parseAnyHeader, readUsualHeader } from '../../src/oauth/parse-authorization-header.ts'
import { oauthVectors } from '../vectors.ts'

const usual = String(oauthVectors[0]?.authorization)
const pieces = [
  '',
  '"',
  ',',
  ' ',
  '%',
  '%2F',
  '%2B',
  '%3D',
  '%41',
  '%0A',
  '=',
  '+',
  '/',
  'a',
  'é',
  '\\',
  '\n',
  'oauth_nonce="a", ',
]
const nearlyUsual = fc
  .tuple(fc.nat({ max: usual.length }), fc.nat({ max: 3 }), fc.constantFrom(...pieces))
  .map(([at, length, piece]) => usual.slice(0, at) + piece + usual.slice(at + length))

describe('readUsualHeader', () => {
  test.for(oauthVectors)('reads the header of vector $id', ({ authorization }) => {
    expect({ ok: true, header: readUsualHeader(authorization) }).toEqual(parseAnyHeader(authorization))
  })

  test('reads a nearly usual header as the whole grammar does, or leaves it to that', () => {
    fc.assert(
      fc.property(nearlyUsual, (text) => {
        const header = readUsualHeader(text)
        if (header !== undefined) expect({ ok: true, header }).toEqual(parseAnyHeader(text))
        expect(parseAuthorizationHeader(text)).toEqual(parseAnyHeader(text))
      }),
      { numRuns: 2000 },
    )
  })

  test('leaves a realm, a missing version, another order and another case of the scheme to the whole grammar', () => {
    const header = { consumerKey: 'a', nonce: 'b', signatureMethod: 'HMAC-SHA1', timestamp: '1', signature: 'c' }
    expect(readUsualHeader(formatAuthorizationHeader({ ...header, realm: 'Photos', version: '1.0' }))).toBeUndefined()
    expect(readUsualHeader(formatAuthorizationHeader(header))).toBeUndefined()
    const pairs = usual.slice('OAuth '.length).split(', ')
    expect(readUsualHeader(`OAuth ${pairs.join(', ')}`)).toBeDefined()
    expect(readUsualHeader(`OAuth ${pairs.toReversed().join(', ')}`)).toBeUndefined()
    expect(readUsualHeader(`oauth ${pairs.join(', ')}`)).toBeUndefined()
  })
})
