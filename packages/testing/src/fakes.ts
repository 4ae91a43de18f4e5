import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { Ids } from '@tallystick/gateway'
import { exampleCustomer } from '@tallystick/gateway/internal'

/**
 * Ids that a test knows beforehand, instead of random ones: the first order of a gateway is `100000000000001`. For the `ids` of
 * a gateway whose orders a test compares with a snapshot.
 */
export function fakeIds(): Ids {
  const number = () => {
    let made = 0
    return (digits: number) => String(++made).padStart(digits, '0')
  }
  const [order, serial, page] = [number(), number(), number()]
  return {
    orderId: () => `1${order(14)}`,
    serialNumber: () => `00000000-0000-4000-8000-${serial(12)}`,
    pageToken: () => page(22),
  }
}

/**
 * Nonces that a test knows beforehand, instead of random ones: `fakeNonce()` gives `nonce-1`, `nonce-2` and so on. For the
 * `nonce` of a client whose signatures a test compares. A gateway accepts each one only once.
 */
export function fakeNonce(prefix = 'nonce'): () => string {
  let made = 0
  return () => `${prefix}-${++made}`
}

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

/**
 * The customer in the requests of the builders: `saleInput({ ...customer, email: 'another@example.com' })`. No real
 * person.
 */
export const customer = exampleCustomer
