/** The known vectors, signed and verified with `@tallystick/signing` alone, and a signature in one's own RSA key. */
import {
  hmacKey,
  parseAuthorizationHeader,
  rsaPrivateKey,
  rsaPublicKey,
  signatureBaseString,
  signControl,
  signOAuth,
  signOAuthAsync,
  verifyControl,
  verifyOAuthAsync,
} from '@tallystick/signing'

export interface ControlVector {
  readonly id: string
  readonly terms: readonly string[]
  readonly key: string
  readonly control: string
}

export interface OAuthVector {
  readonly id: string
  readonly requestUrl: string
  readonly bodyParams: Readonly<Record<string, string>>
  readonly oauthParams: Readonly<Record<string, string>>
  readonly baseString: string
  readonly authorization: string
  readonly key: string
}

export interface Vectors {
  readonly controls: readonly ControlVector[]
  readonly oauth: readonly OAuthVector[]
  readonly rsaPublicKeyPem: string
  /** A key pair made for this run. */
  readonly privateKey: string
  readonly publicKey: string
}

/** The ids of the vectors that came out differently. */
export async function tryVectors({ controls, oauth, ...keys }: Vectors): Promise<readonly string[]> {
  const wrong = controls.filter(({ terms, key, control }) => {
    return signControl({ terms, key }) !== control || !verifyControl({ terms, key, control }).ok
  })
  const differing = await Promise.all(oauth.map(async (vector) => ((await agrees(vector, keys)) ? [] : [vector.id])))
  return [...wrong.map(({ id }) => id), ...differing.flat()]
}

type Keys = Pick<Vectors, 'rsaPublicKeyPem' | 'privateKey' | 'publicKey'>

async function agrees({ requestUrl, bodyParams, oauthParams, ...vector }: OAuthVector, keys: Keys): Promise<boolean> {
  const parameters = Object.entries(bodyParams)
  const signable = { httpMethod: 'POST', url: requestUrl, parameters } as const
  const timestamp = Number(oauthParams['oauth_timestamp'])
  const chosen = {
    consumerKey: oauthParams['oauth_consumer_key'] ?? '',
    nonce: oauthParams['oauth_nonce'] ?? '',
    timestamp,
  }
  const base = signatureBaseString({ ...signable, parameters: [...parameters, ...Object.entries(oauthParams)] })
  const isRsa = oauthParams['oauth_signature_method'] === 'RSA-SHA256'
  const verify = async (authorization: string, pem: string) => {
    const parsed = parseAuthorizationHeader(authorization)
    if (!parsed.ok) return false
    const with_ = isRsa
      ? ({ method: 'RSA-SHA256', key: rsaPublicKey(pem) } as const)
      : ({ method: 'HMAC-SHA1', key: hmacKey(vector.key.slice(0, -1)) } as const)
    return (await verifyOAuthAsync({ ...signable, ...with_, header: parsed.header, now: timestamp })).ok
  }
  const signer = isRsa
    ? ({ method: 'RSA-SHA256', key: rsaPrivateKey(keys.privateKey) } as const)
    : ({ method: 'HMAC-SHA1', key: hmacKey(vector.key.slice(0, -1)) } as const)
  const [signed, later] = [
    signOAuth({ ...signable, ...signer, ...chosen }),
    await signOAuthAsync({ ...signable, ...signer, ...chosen }),
  ]
  if (base !== vector.baseString || signed.authorization !== later.authorization) return false
  if (!isRsa && signed.authorization !== vector.authorization) return false
  return (
    (await verify(vector.authorization, keys.rsaPublicKeyPem)) && (await verify(signed.authorization, keys.publicKey))
  )
}
