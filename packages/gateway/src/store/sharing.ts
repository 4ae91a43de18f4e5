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
  /** Takes over what processes that are gone had sent. Each operation is given to one process. */
  takeLeftOperations(limit: number): Promise<readonly LeftOperation[]>
  /** Calls every few seconds, and when another process may have made something due. The result ends that. */
  onWake(look: () => void): () => void
}
