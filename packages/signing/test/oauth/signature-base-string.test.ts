import { describe, expect, test } from 'vitest'
import { decodeParameters, signatureBaseString } from '../../src/index.ts'
import { catchSigningError } from '../catch-signing-error.ts'
import { oauthVectors } from '../vectors.ts'

describe('signatureBaseString', () => {
  test('[S5.2-20] [S5.2-24] makes the base string of RFC 5849 section 3.4.1.1', () => {
    const header = [
      ['oauth_consumer_key', '9djdj82h48djs9d2'],
      ['oauth_token', 'kkk9d7dh3k39sjv7'],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', '137131201'],
      ['oauth_nonce', '7d8f3e4a'],
      ['oauth_signature', 'bYT5CMsGcbgUdFHObYMEfcx6bsw='],
    ] as const
    const baseString = signatureBaseString({
      httpMethod: 'POST',
      url: 'http://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b',
      parameters: [...header, ...decodeParameters('c2&a3=2+q')],
    })
    expect(baseString).toBe(
      'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q' +
        '%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_' +
        'key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_m' +
        'ethod%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk' +
        '9d7dh3k39sjv7',
    )
  })

  test.for(oauthVectors)(
    '[S5.2-20] [S5.2-21] [S5.2-22] [S5.2-23] [S5.2-24] makes the base string of vector $id',
    (vector) => {
      const { requestUrl: url, bodyParams, oauthParams, baseString } = vector
      const parameters = [...Object.entries(bodyParams), ...Object.entries(oauthParams)]
      expect(signatureBaseString({ httpMethod: 'POST', url, parameters })).toBe(baseString)
    },
  )

  test.for(oauthVectors)('[S5.2-20] counts the parameters of the body of vector $id as they arrive', (vector) => {
    const { requestUrl: url, body, oauthParams, baseString } = vector
    const parameters = [...decodeParameters(body), ...Object.entries(oauthParams)]
    expect(signatureBaseString({ httpMethod: 'POST', url, parameters })).toBe(baseString)
  })

  test('[S5.2-20] leaves oauth_signature out wherever it is', () => {
    const url = 'http://a.example/x?oauth_signature=1'
    expect(signatureBaseString({ httpMethod: 'GET', url, parameters: [['oauth_signature', '2']] })).toBe(
      'GET&http%3A%2F%2Fa.example%2Fx&',
    )
  })

  test('counts a body parameter named realm, which only the header leaves out', () => {
    const signable = { httpMethod: 'POST', url: 'http://a.example/x', parameters: [['realm', 'r']] } as const
    expect(signatureBaseString(signable)).toBe('POST&http%3A%2F%2Fa.example%2Fx&realm%3Dr')
  })

  test('[S5.2-24] writes the method in upper case', () => {
    expect(signatureBaseString({ httpMethod: 'post', url: 'http://a.example/x', parameters: [] })).toBe(
      'POST&http%3A%2F%2Fa.example%2Fx&',
    )
  })

  test.for(['', ' POST', 'PO ST', 'POST\n', 'PÖST', '"POST"'])('refuses the method %j', (httpMethod) => {
    const signable = { httpMethod, url: 'http://a.example/x', parameters: [] }
    expect(catchSigningError(() => signatureBaseString(signable)).code).toBe('BAD_ARGUMENT')
  })

  test('[S5.2-24] encodes a method that holds an ampersand, as an HTTP token may', () => {
    const signable = { httpMethod: 'a&b0', url: 'http://a.example/x', parameters: [] }
    expect(signatureBaseString(signable)).toBe('A%26B0&http%3A%2F%2Fa.example%2Fx&')
  })

  test('refuses a method that is not a text', () => {
    const signable = { httpMethod: undefined as unknown as string, url: 'http://a.example/x', parameters: [] }
    expect(catchSigningError(() => signatureBaseString(signable)).code).toBe('BAD_ARGUMENT')
  })

  test('refuses a URL that cannot be signed', () => {
    const signable = { httpMethod: 'POST', url: '/x', parameters: [] }
    expect(catchSigningError(() => signatureBaseString(signable)).code).toBe('BAD_URL')
  })

  test('refuses a parameter without a UTF-8 form', () => {
    const signable = { httpMethod: 'POST', url: 'http://a.example/x', parameters: [['a', '\ud800']] } as const
    expect(catchSigningError(() => signatureBaseString(signable)).code).toBe('BAD_TEXT')
  })
})
