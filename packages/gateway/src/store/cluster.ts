/** An operation sent by a process that was gone before it knew the outcome. */
export interface LeftOperation {
  readonly orderId: string
  readonly operationId: string
}

/** What processes that share a store must know about each other. */
export interface Sharing {
  /**
   * Whether the other processes still consider this one alive, and so leave alone what it has sent. A process that was cut
   * off from the store for too long does not send what it has written: another process looks it up.
   */
  isAlive(): boolean
  /**
   * Takes over operations that processes which are gone had sent. Each operation goes to one process, and to that process
   * again for as long as it is neither decided nor under way there: an answer may have been lost, or reading the order
   * failed. The same goes for operations that this process may have written as sent although the write was reported failed.
   *
   * @param isUnderWay Whether this process carries the operation out or looks it up now.
   */
  takeLeftOperations(limit: number, isUnderWay: (operationId: string) => boolean): Promise<readonly LeftOperation[]>
  /**
   * Calls `look` every few seconds, and when another process is gone or may have made something due. The function returned
   * ends that.
   */
  onWake(look: () => void): () => void
}
