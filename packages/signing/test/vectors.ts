import { readFileSync } from 'node:fs'

export type ControlVector = {
  readonly id: string
  readonly operation: string
  readonly fields: Readonly<Record<string, string>>
  readonly key: string
  readonly string: string
  readonly control: string
}

export type OAuthVector = {
  readonly id: string
  readonly requestUrl: string
  readonly normalizedUrl: string
  readonly bodyParams: Readonly<Record<string, string>>
  readonly oauthParams: Readonly<Record<string, string>>
  readonly baseString: string
  readonly signature: string
  readonly authorization: string
  readonly body: string
  readonly key: string
}

type VectorFile<Vector> = { readonly vectors: readonly Vector[]; readonly rsaPublicKeyPem: string }

function read<Vector>(name: string): VectorFile<Vector> {
  return JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), 'utf8')) as VectorFile<Vector>
}

export const controlVectors = read<ControlVector>('control').vectors
export const { vectors: oauthVectors, rsaPublicKeyPem } = read<OAuthVector>('oauth')
