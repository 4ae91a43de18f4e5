import { generateKeyPairSync, randomUUID } from 'node:crypto'

/** An RSA key pair in PEM. */
export interface TestKeyPair {
  /** PKCS#8, for the client. */
  readonly privateKey: string
  /** SPKI, for the gateway. */
  readonly publicKey: string
}

/** Kept for the process, because creating an RSA key takes longer than a whole test. */
let keyPair: TestKeyPair | undefined

/** An RSA key pair of 2048 bits, created once in each process and never written anywhere. */
export function testKeyPair(): TestKeyPair {
  keyPair ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return keyPair
}

/** A new control key, as gateways make them. */
export function testControlKey(): string {
  return randomUUID().toUpperCase()
}
