import { afterAll, afterEach } from 'vitest'
import { verifyScripts } from './unused-scripts.ts'

/**
 * Verifies after each test. What concurrent tests have scripted is verified at the end of the file: when the first of them
 * ends, the others are still about to use theirs.
 */
export function verifyInVitest(): void {
  afterEach(({ task }) => {
    if (task.concurrent !== true) verifyScripts()
  })
  afterAll(() => verifyScripts())
}
