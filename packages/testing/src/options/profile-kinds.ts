import { type Kinds, kind, type Profile } from '@tallystick/core'

/** What a test may say of a gateway that does otherwise; where it is, the test does not say. */
export const PROFILE_KINDS: Kinds<Omit<Profile, 'baseUrl'>> = {
  name: kind.text,
  payoutFormMethod: kind.oneOf('HMAC-SHA1', 'RSA-SHA256'),
  oauthInBody: kind.flag,
  rebillPath: kind.oneOf('/api/v2/make-rebill', '/api/v2/make-rebill-sale', '/api/v2/make-rebill-preauth'),
  wireNames: kind.object,
  exponents: kind.oneOf('always-2', 'iso-4217'),
  threeDsMethodWaitSeconds: { wanted: 'a number of seconds', isRight: (value) => typeof value === 'number' },
  replyFormat: kind.oneOf('json', 'classic'),
}
