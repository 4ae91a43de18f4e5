/** Something that a test scripted, and that is to be used up when the test ends. */
export interface Scripted {
  /** What was not used, as the test wrote it, and what was asked for without a script. */
  leftovers(): readonly string[]
}

/** What was scripted since the last look. Kept for the process, so that one `afterEach` can look after every test. */
let scripted = new Set<Scripted>()

/** Has {@link verifyScripts} look at it. */
export function willBeVerified(script: Scripted): void {
  scripted.add(script)
}

/** A test scripted what nobody asked for, or the code asked for what the test did not script. */
export class UnusedScriptError extends Error {
  override readonly name = 'UnusedScriptError'
  /** Each as the test wrote it: `fakeClient: answer('sale', accepted())`. */
  readonly leftovers: readonly string[]

  constructor(leftovers: readonly string[]) {
    super(
      [
        'What this test scripted and what was called differ:',
        ...leftovers.map((leftover) => `  ${leftover}`),
        'Take out what is not needed, or see why the code does not call it.',
      ].join('\n'),
    )
    this.leftovers = leftovers
  }
}

/** @throws UnusedScriptError that names each leftover of these */
export function verify(...scripts: readonly Scripted[]): void {
  for (const script of scripts) scripted.delete(script)
  const leftovers = scripts.flatMap((script) => script.leftovers())
  if (leftovers.length > 0) throw new UnusedScriptError(leftovers)
}

/**
 * Fails with the name of every scripted answer and fault that was not used, of all fake clients and gateways since the
 * last call: `afterEach(verifyScripts)`. Beside tests that run at the same time in one process use `verify()` of each
 * instead.
 *
 * @throws UnusedScriptError
 */
export function verifyScripts(): void {
  const all = scripted
  scripted = new Set()
  verify(...all)
}
