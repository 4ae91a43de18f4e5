/** An operation that a process sent which is gone before it knew the outcome. */
export interface LeftOperation {
  readonly orderId: string
  readonly operationId: string
}

/** What processes that share a store have to know of each other. */
export interface Sharing {
  /**
   * Whether the others still count on this process, so that they leave alone what it has sent. One that was cut off from
   * the store for too long does not send what it has written: another looks it up.
   */
  isAlive(): boolean
  /**
   * Takes over what processes that are gone had sent. Each operation is given to one process, and to that one again as
   * long as it is neither decided nor under way there: an answer may have been lost, or the order not been read. So is
   * what this process may have written as sent though it was told of a failure.
   *
   * @param isUnderWay Whether this process carries the operation out or looks it up now.
   */
  takeLeftOperations(limit: number, isUnderWay: (operationId: string) => boolean): Promise<readonly LeftOperation[]>
  /** Calls every few seconds, and when another process is gone or may have made something due. The result ends that. */
  onWake(look: () => void): () => void
}
