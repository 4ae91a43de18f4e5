/** What a nonce is unique within: its consumer and its timestamp. A verdict of `verifyOAuth` is one. */
export type BurnableNonce = {
  readonly consumerKey: string
  /** Decoded: `%41` and `A` are one nonce. */
  readonly nonce: string
  /** Seconds since 1970. */
  readonly timestamp: number
}

/**
 * Stores used nonces. `replayGuard` stores them in one process; several processes share a store, such as a table with a
 * unique key over the three values.
 */
export type NonceStore = {
  /**
   * Marks a nonce as used. `true` if it was fresh, once and for one caller only, even if two ask at the same time; `false`
   * if it has been used, or the store no longer knows: then refuse the request.
   *
   * Call it after the signature has been verified and never before, or strangers fill the store and burn the nonces of
   * others.
   *
   * @param now The present time in seconds since 1970.
   * @see gaps part 13
   */
  burn(nonce: BurnableNonce, now: number): Promise<boolean> | boolean
}
