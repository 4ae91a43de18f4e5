/**
 * Nonces that a test knows beforehand, instead of random ones: `fakeNonce()` gives `nonce-1`, `nonce-2` and so on. For the
 * `nonce` of a client whose signatures a test compares. A gateway accepts each one only once.
 */
export function fakeNonce(prefix = 'nonce'): () => string {
  let made = 0
  return () => `${prefix}-${++made}`
}
