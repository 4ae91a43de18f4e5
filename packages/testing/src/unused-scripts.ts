/** Something that a test scripted, and that has to be used up when the test ends. */
export interface Scripted {
  /** What was not used, as the test wrote it, and what was called without a script. */
  leftovers(): readonly string[]
}

const SCRIPTED = Symbol.for('@tallystick/testing:scripted')

interface Shared {
  [SCRIPTED]?: Set<Scripted>
}

/**
 * What was scripted since the last check. Kept for the process, so that one `afterEach` can check every test; and for all copies of
 * this package, because jest loads a set-up file as CommonJS, whatever its specs are.
 */
const scripted = (globalThis as Shared)[SCRIPTED] ?? new Set<Scripted>()
;(globalThis as Shared)[SCRIPTED] = scripted

/** Makes {@link verifyScripts} check it. */
export function willBeVerified(script: Scripted): void {
  scripted.add(script)
}

/** A test scripted something that the code did not call, or the code called something that the test did not script. */
export class UnusedScriptError extends Error {
  override readonly name = 'UnusedScriptError'
  /** Each as the test wrote it: `fakeClient: answer('sale', accepted())`. */
  readonly leftovers: readonly string[]

  constructor(leftovers: readonly string[]) {
    super(
      [
        'What this test scripted and what was called differ:',
        ...leftovers.map((leftover) => `  ${leftover}`),
        'Remove what is not needed, or find out why the code does not call it.',
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
 * last call: `afterEach(verifyScripts)`. If tests run at the same time in one process, `after(verifyScripts)` or `verify()` of each.
 *
 * @throws UnusedScriptError
 */
export function verifyScripts(): void {
  const all = [...scripted]
  scripted.clear()
  verify(...all)
}

/** The same as a value. */
export function unusedScripts(): unknown {
  try {
    verifyScripts()
  } catch (error) {
    return error
  }
  return undefined
}
