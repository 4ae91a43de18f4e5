import { generateKeyPairSync } from 'node:crypto'

/** Made when a test file is loaded: no private key is ever part of the repository. */
export const keyPair = generateKeyPairSync('rsa', { modulusLength: 2048 })

export const privatePem = keyPair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
export const pkcs1Pem = keyPair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
export const publicPem = keyPair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
