import type { Profile } from '@tallystick/core'
import { flag, type Kind, object, oneOf, text } from './check-options.ts'

/** What a test may say of a gateway that does otherwise; where it is, the test does not say. */
export const PROFILE_KINDS: Readonly<Record<Exclude<keyof Profile, 'baseUrl'>, Kind>> = {
  name: text,
  payoutFormMethod: oneOf('HMAC-SHA1', 'RSA-SHA256'),
  oauthInBody: flag,
  rebillPath: oneOf('/api/v2/make-rebill', '/api/v2/make-rebill-sale', '/api/v2/make-rebill-preauth'),
  wireNames: object,
  exponents: oneOf('always-2', 'iso-4217'),
  threeDsMethodWaitSeconds: { wanted: 'a number of seconds', isRight: (value) => typeof value === 'number' },
  replyFormat: oneOf('json', 'classic'),
}
