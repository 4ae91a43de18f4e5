import { describe, expect, test } from 'vitest'
import type { OAuthHeader } from '../../src/internal.ts'
import { formatAuthorizationHeader } from '../../src/oauth/oauth-header.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { type OAuthVector, oauthVectors } from '../vectors.ts'

const header: OAuthHeader = {
  consumerKey: 'merchantlogin',
  nonce: 'y3qlvMPky7g',
  signatureMethod: 'HMAC-SHA1',
  timestamp: '1669966913',
  version: '1.0',
  signature: 'd/IPlITUmPcniwjA7Vckjr6WQeE=',
}
const parameters =
  'oauth_consumer_key="merchantlogin", oauth_nonce="y3qlvMPky7g", oauth_signature="d%2FIPlITUmPcniwjA7Vckjr6WQeE%3D", ' +
  'oauth_signature_method="HMAC-SHA1", oauth_timestamp="1669966913", oauth_version="1.0"'

function headerOf({ oauthParams, signature }: OAuthVector): OAuthHeader {
  const value = (name: string) => String(oauthParams[name])
  return {
    consumerKey: value('oauth_consumer_key'),
    nonce: value('oauth_nonce'),
    signatureMethod: value('oauth_signature_method'),
    timestamp: value('oauth_timestamp'),
    version: value('oauth_version'),
    signature,
  }
}

describe('formatAuthorizationHeader', () => {
  test.for(oauthVectors)('[S5.2-02] [S5.2-05] writes the header of vector $id', (vector) => {
    expect(formatAuthorizationHeader(headerOf(vector))).toBe(vector.authorization)
  })

  test('[S5.2-03] writes no realm unless one is given', () => {
    expect(formatAuthorizationHeader(header)).toBe(`OAuth ${parameters}`)
    expect(formatAuthorizationHeader({ ...header, realm: undefined })).toBe(`OAuth ${parameters}`)
  })

  test('[S5.2-03] writes a realm first, an empty one too', () => {
    expect(formatAuthorizationHeader({ ...header, realm: 'Photos' })).toBe(`OAuth realm="Photos", ${parameters}`)
    expect(formatAuthorizationHeader({ ...header, realm: '' })).toBe(`OAuth realm="", ${parameters}`)
  })

  test('escapes quotes and backslashes of the realm and nothing else', () => {
    expect(formatAuthorizationHeader({ ...header, realm: 'a "b" \\ %20' })).toBe(
      `OAuth realm="a \\"b\\" \\\\ %20", ${parameters}`,
    )
  })

  test.for(['a\r\nX-Injected: 1', 'a\n', '\0', 'é', '\x7f'])('refuses the realm %j', (realm) => {
    expect(catchSigningError(() => formatAuthorizationHeader({ ...header, realm })).code).toBe('BAD_ARGUMENT')
  })

  test('[S5.2-08] leaves an absent version out', () => {
    expect(formatAuthorizationHeader({ ...header, version: undefined })).not.toContain('oauth_version')
  })

  test('[S5.2-12] percent-encodes nonce and signature on their own', () => {
    const text = formatAuthorizationHeader({ ...header, nonce: 'a+b/c="', signature: '+/=' })
    expect(text).toContain('oauth_nonce="a%2Bb%2Fc%3D%22"')
    expect(text).toContain('oauth_signature="%2B%2F%3D"')
  })

  test('refuses a value without a UTF-8 form', () => {
    expect(catchSigningError(() => formatAuthorizationHeader({ ...header, nonce: '\ud800' })).code).toBe('BAD_TEXT')
  })
})
