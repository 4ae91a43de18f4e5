import { randomBytes } from 'node:crypto'
import { pooledRandomness } from '../runtime/random-fill.ts'
import { newVaultKeys } from '../vault/vault-keys.ts'

/** The ids of two key files made on one day differ: what one of them sealed, the other does not open. */
export const newKeys = () =>
  newVaultKeys(pooledRandomness(), `${new Date().toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`)

/** A key of 256 bits for a merchant or for operators, in characters that every tool takes. */
export const newKey = () => randomBytes(32).toString('hex')
