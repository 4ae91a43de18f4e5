import { generateKeyPairSync } from 'node:crypto'

/** A pair of RSA keys for one run: no private key is ever part of the repository. */
export function newPair(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}
