import { afterAll, afterEach, beforeEach, type RunnerTask } from 'vitest'
import { beginTest, endTest, tellWith, traceByDefault } from './traces.ts'
import { unusedScripts, verifyScripts } from './unused-scripts.ts'

/**
 * Verifies after each test, and leaves a trace of one that failed. What concurrent tests have scripted is verified at the end of the
 * file: when the first of them ends, the others are still about to use theirs.
 */
export function verifyInVitest(): void {
  traceByDefault()
  const begun = new WeakMap<object, ReturnType<typeof beginTest>>()
  beforeEach(({ task }) => {
    begun.set(task, beginTest())
  })
  afterEach(async ({ task }) => {
    const unused = task.concurrent === true ? undefined : unusedScripts()
    const failed = unused !== undefined || task.result?.state === 'fail'
    const told = await endTest({ title: titleOf(task), file: task.file.filepath, failed }, begun.get(task))
    for (const error of unused === undefined ? (task.result?.errors ?? []) : [unused]) tellWith(error, told)
    if (unused !== undefined) throw unused
  })
  afterAll(() => verifyScripts())
}

/** With the names of the suites that it is in. */
function titleOf({ name, suite }: RunnerTask): string {
  return suite === undefined || suite.name === '' ? name : `${titleOf(suite)} ${name}`
}
