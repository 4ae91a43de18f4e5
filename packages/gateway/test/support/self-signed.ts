import { generateKeyPairSync, sign } from 'node:crypto'

export interface SelfSigned {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

/** A certificate for these names, signed by its own key: made here, so that no key is in a file (RFC 5280 section 4.1). */
export function selfSigned(...names: readonly string[]): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const commonName = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(names[0] ?? '')))))
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ECDSA_WITH_SHA256,
    commonName,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subjectAltName(names))),
  )
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', content, privateKey)]))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', sequence(content, ECDSA_WITH_SHA256, signature)),
  }
}

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))

function subjectAltName(names: readonly string[]): Buffer {
  const dnsNames = names.map((name) => der(0x82, Buffer.from(name)))
  return sequence(oid('551d11'), der(0x04, sequence(...dnsNames)))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const header = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from(header), content])
}

function pem(label: string, content: Buffer): string {
  return `-----BEGIN ${label}-----\n${content.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`
}
