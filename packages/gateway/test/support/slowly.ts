import { setImmediate } from 'node:timers/promises'
import type { SendCallback } from '../../src/index.ts'

/** Sends callbacks to a shop that takes its time, in turns of the event loop. */
export function slowly(calls: string[]): SendCallback {
  return async (url) => {
    calls.push(url)
    for (let turn = 0; turn < 20; turn++) await setImmediate()
    return { status: 200 }
  }
}
