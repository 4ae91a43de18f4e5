import { describe, expectTypeOf, test } from 'vitest'
import type {
  HmacKey,
  NonceStore,
  OAuthVerdict,
  ReplayGuard,
  RsaPrivateKey,
  RsaPublicKey,
  SignatureMethod,
} from '../src/index.ts'
import type { OAuthSigner, OAuthVerifier } from '../src/oauth/signature-methods.ts'

describe('the types', () => {
  test('know two methods', () => {
    expectTypeOf<SignatureMethod>().toEqualTypeOf<'HMAC-SHA1' | 'RSA-SHA256'>()
  })

  test('pair a method with its own kind of key only', () => {
    expectTypeOf<{ method: 'HMAC-SHA1'; key: HmacKey }>().toExtend<OAuthSigner>()
    expectTypeOf<{ method: 'HMAC-SHA1'; key: HmacKey }>().toExtend<OAuthVerifier>()
    expectTypeOf<{ method: 'RSA-SHA256'; key: RsaPrivateKey }>().toExtend<OAuthSigner>()
    expectTypeOf<{ method: 'RSA-SHA256'; key: RsaPublicKey }>().toExtend<OAuthVerifier>()
    expectTypeOf<{ method: 'HMAC-SHA1'; key: RsaPublicKey }>().not.toExtend<OAuthVerifier>()
    expectTypeOf<{ method: 'HMAC-SHA1'; key: RsaPrivateKey }>().not.toExtend<OAuthSigner>()
    expectTypeOf<{ method: 'RSA-SHA256'; key: HmacKey }>().not.toExtend<OAuthVerifier>()
    expectTypeOf<{ method: 'RSA-SHA256'; key: HmacKey }>().not.toExtend<OAuthSigner>()
    expectTypeOf<{ method: 'RSA-SHA256'; key: RsaPublicKey }>().not.toExtend<OAuthSigner>()
    expectTypeOf<{ method: 'RSA-SHA256'; key: RsaPrivateKey }>().not.toExtend<OAuthVerifier>()
    expectTypeOf<{ method: SignatureMethod; key: HmacKey }>().not.toExtend<OAuthSigner>()
    expectTypeOf<{ method: 'PLAINTEXT'; key: HmacKey }>().not.toExtend<OAuthSigner>()
  })

  test('tell the kinds of key apart, and none of them from a text', () => {
    expectTypeOf<RsaPrivateKey>().not.toExtend<RsaPublicKey>()
    expectTypeOf<RsaPublicKey>().not.toExtend<RsaPrivateKey>()
    expectTypeOf<HmacKey>().not.toExtend<RsaPublicKey>()
    expectTypeOf<string>().not.toExtend<HmacKey>()
    expectTypeOf<object>().not.toExtend<HmacKey>()
  })

  test('make a caller look at the verdict before using what it holds', () => {
    expectTypeOf<Extract<OAuthVerdict, { ok: true }>>().toEqualTypeOf<{
      readonly ok: true
      readonly consumerKey: string
      readonly nonce: string
      readonly timestamp: number
    }>()
    expectTypeOf<OAuthVerdict>().not.toHaveProperty('nonce')
  })

  test('let a replay guard be used as a nonce store', () => {
    expectTypeOf<ReplayGuard>().toExtend<NonceStore>()
    expectTypeOf<ReturnType<ReplayGuard['consume']>>().toEqualTypeOf<boolean>()
    expectTypeOf<Extract<OAuthVerdict, { ok: true }>>().toExtend<Parameters<NonceStore['consume']>[0]>()
  })
})
