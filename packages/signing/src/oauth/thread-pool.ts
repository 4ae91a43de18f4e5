import { type KeyObject, sign, verify } from 'node:crypto'

/** `crypto.sign` with SHA-256 on node's thread pool. */
export function signOnPool(key: KeyObject, data: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    sign('sha256', data, key, (error, signature) => (error === null ? resolve(signature) : reject(error)))
  })
}

/** `crypto.verify` with SHA-256 on node's thread pool. */
export function verifyOnPool(key: KeyObject, data: Uint8Array, signature: Uint8Array): Promise<boolean> {
  return new Promise((resolve, reject) => {
    verify('sha256', data, key, signature, (error, isValid) => (error === null ? resolve(isValid) : reject(error)))
  })
}
