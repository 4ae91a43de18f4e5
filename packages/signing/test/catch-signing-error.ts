import { SigningError } from '../src/index.ts'

/** The SigningError that a call throws; anything else fails the test. */
export function catchSigningError(call: () => unknown): SigningError {
  try {
    call()
  } catch (error) {
    if (error instanceof SigningError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
