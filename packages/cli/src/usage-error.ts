/** The command line is wrong, or a file that it names. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
