import { writeSync } from 'node:fs'

/** Where the lines of the log go. */
export interface LogOutput {
  /** Never throws: a line that cannot be written is lost, and payments go on without it. */
  write(line: string): void
}

/**
 * The standard output, as a file or a pipe. A stream of Node is gone for good once its disk was full. This goes on when there is
 * room again, on a new line if the last one was cut off.
 *
 * @param tell called with the reason why a line is lost, once until a line is written again
 * @param take writes what it can of these bytes, and returns how many
 */
export function logOutput(
  tell: (reason: string) => void,
  take = (bytes: Uint8Array) => writeSync(1, bytes),
): LogOutput {
  let isWithinLine = false
  let isTold = false
  return {
    write: (line) => {
      let rest = Buffer.from(isWithinLine ? `\n${line}` : line)
      try {
        while (rest.length > 0) {
          rest = rest.subarray(patiently(take, rest))
          isWithinLine = rest.length > 0
        }
        isTold = false
      } catch (error) {
        if (!isTold) tell((error as NodeJS.ErrnoException).code ?? String(error))
        isTold = true
      }
    },
  }
}

/** How long to wait for a reader that does not keep up, before the next try. */
const SLOW_READER_MS = 10

function patiently(take: (bytes: Uint8Array) => number, bytes: Uint8Array): number {
  for (;;) {
    try {
      return take(bytes)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW_READER_MS)
    }
  }
}
