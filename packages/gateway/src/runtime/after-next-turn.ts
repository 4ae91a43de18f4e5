// Not the global one, which a test may have replaced by a fake that it drives.
import { setImmediate } from 'node:timers'

/**
 * Runs the work when this turn of the event loop and the next have read all input. With 64 connections a commit then has
 * twice as many changes as after one turn, and fifty times as many as after a microtask. Keeps the process alive until then.
 */
export function afterNextTurn(work: () => void): void {
  setImmediate(() => setImmediate(work))
}
