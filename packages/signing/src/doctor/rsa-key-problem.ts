import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { SigningError } from '../errors.ts'
import { inLines } from '../keys/require-pem.ts'
import { rsaPrivateKey } from '../keys/rsa-private-key.ts'
import { rsaPublicKey } from '../keys/rsa-public-key.ts'
import type { KeyEvidence } from './oauth-evidence.ts'

/** What a PEM text can be that should not be. */
export type RsaKeyCause =
  | 'key-under-2048-bits'
  | 'private-key-given-for-public'
  | 'public-key-given-for-private'
  | 'unusable-key'
  | 'wrong-key'

/** What is wrong with the keys themselves, before any signature is looked at. */
export type RsaKeyProblem = { readonly cause: RsaKeyCause; readonly advice: string }

const MIN_BITS = 2048

/** What is wrong with the public key. @see Specification parts 5.2 and 8 (at least 2048 bits) */
export function publicKeyProblem(evidence: KeyEvidence): RsaKeyProblem | undefined {
  return evidence.method === 'RSA-SHA256' ? importProblem(evidence.publicKey, rsaPublicKey) : undefined
}

/** What is wrong with the private key, if it is given and the public key is sound. */
export function privateKeyProblem(evidence: KeyEvidence): RsaKeyProblem | undefined {
  if (evidence.method !== 'RSA-SHA256' || evidence.privateKey === undefined) return undefined
  return importProblem(evidence.privateKey, rsaPrivateKey) ?? pairProblem(evidence.publicKey, evidence.privateKey)
}

/** The import says in words what is wrong; which cause that is follows from the PEM text. */
function importProblem(pem: string, importKey: (pem: string) => unknown): RsaKeyProblem | undefined {
  try {
    importKey(pem)
    return undefined
  } catch (error) {
    if (!(error instanceof SigningError)) throw error
    return { cause: causeOf(pem, importKey === rsaPublicKey), advice: error.message }
  }
}

function causeOf(pem: string, isPublicWanted: boolean): RsaKeyCause {
  const key = readKey(pem)
  if (key === undefined || key.asymmetricKeyType !== 'rsa') return 'unusable-key'
  if (key.type === 'private' && isPublicWanted) return 'private-key-given-for-public'
  if (key.type === 'public' && !isPublicWanted) return 'public-key-given-for-private'
  return Number(key.asymmetricKeyDetails?.modulusLength) < MIN_BITS ? 'key-under-2048-bits' : 'unusable-key'
}

function readKey(pem: string): KeyObject | undefined {
  for (const read of [createPrivateKey, createPublicKey]) {
    try {
      return read(inLines(pem))
    } catch {
      // Not this half of the pair; the caller already has the whole reason.
    }
  }
  return undefined
}

function pairProblem(publicKey: string, privateKey: string): RsaKeyProblem | undefined {
  if (createPublicKey(inLines(privateKey)).equals(createPublicKey(inLines(publicKey)))) return undefined
  return { cause: 'wrong-key', advice: 'the two keys are no pair: supply the public half of the key that signs' }
}
