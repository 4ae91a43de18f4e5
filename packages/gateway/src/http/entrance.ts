/** A request that came to the gateway. */
export interface Arrival<Answer> {
  readonly serialNumber: string
  /** `isBusy`: there are too many requests, so this one must be turned away. */
  readonly answer: (isBusy: boolean) => Promise<Answer>
  /** The answer if `answer` throws. */
  readonly failed: () => Answer
}

/** Answers each request, whatever happens inside, and counts how many are in progress. */
export function entrance(
  onError: (error: unknown, serialNumber: string) => void,
  most = 1000,
): <Answer>(arrival: Arrival<Answer>) => Promise<Answer> {
  let inside = 0
  return async ({ serialNumber, answer, failed }) => {
    inside++
    try {
      return await answer(inside > most)
    } catch (error) {
      onError(error, serialNumber)
      return failed()
    } finally {
      inside--
    }
  }
}
