import { constants, fstatSync, openSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Where the lines of the log go. */
export interface LogOutput {
  /** Never throws and never waits: a line that cannot be written is lost, and payments go on without it. */
  write(line: string): void
}

interface LogOutputOptions {
  /** Called with the reason why a line is lost, once until a line is written again. */
  readonly tell: (reason: string) => void
  /** Called for each line that is lost. */
  readonly onLost: () => void
  /** The line that says how many were lost, once lines are written again. */
  readonly lostLine: (lost: number) => string
  /** Writes what it can of these bytes at once, and returns how many. */
  readonly take: (bytes: Uint8Array) => number
  /** Has `flush` called a little later. */
  readonly later: (flush: () => void) => void
}

/** What waits for a reader that stands still: some thousand lines, a few seconds of a busy gateway. */
const MOST_BYTES = 1_048_576

const LINE_END = Buffer.from('\n')

export const READER_STANDS_STILL = 'its reader stands still'

interface Waiting {
  rest: Uint8Array
  hasBegun: boolean
  /** How many lost lines are reported by this text. */
  readonly reports: number
  readonly lines: 0 | 1
}

/**
 * Writes lines to a file, a pipe or a terminal. A stream of Node is gone for good once its disk was full. This goes on when there is
 * room again, on a new line if the last one was cut off. If nobody reads, lines wait up to a limit, and the rest is dropped and
 * counted.
 */
export function logOutput({ tell, onLost, lostLine, take, later }: LogOutputOptions): LogOutput {
  const queue: Waiting[] = []
  let bytes = 0
  let lost = 0
  let isWithinLine = false
  let isTold = false
  let isWaiting = false

  function lose(reason: string): void {
    onLost()
    lost++
    if (!isTold) tell(reason)
    isTold = true
  }

  function enqueue(line: string): void {
    const report = lost === 0 ? '' : lostLine(lost)
    const rest = Buffer.from(report + line)
    queue.push({ rest, hasBegun: false, reports: lost, lines: line === '' ? 0 : 1 })
    bytes += rest.length
    lost = 0
  }

  function flush(): void {
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      if (!writeAll(first)) return
      queue.shift()
      // No other line may come for long.
      if (queue.length === 0 && lost > 0 && isWaiting) enqueue('')
    }
    isWaiting = false
  }

  /** Whether nothing is left of it: all is written, or it is lost. */
  function writeAll(waiting: Waiting): boolean {
    try {
      if (isWithinLine && !waiting.hasBegun) {
        take(LINE_END)
        isWithinLine = false
      }
      while (waiting.rest.length > 0) {
        const taken = take(waiting.rest)
        waiting.rest = waiting.rest.subarray(taken)
        bytes -= taken
        waiting.hasBegun = true
        isWithinLine = waiting.rest.length > 0
      }
      isTold = lost > 0
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error)
      if (code === 'EAGAIN') return waitForReader()
      bytes -= waiting.rest.length
      lost += waiting.reports
      if (waiting.lines > 0) lose(code)
    }
    return true
  }

  function waitForReader(): false {
    isWaiting = true
    later(flush)
    return false
  }

  return {
    write: (line) => {
      if (bytes + line.length > MOST_BYTES) return lose(READER_STANDS_STILL)
      enqueue(line)
      if (!isWaiting) flush()
    },
  }
}

const AGAIN_AFTER_MS = 50

/** The standard output or error, as a place that never makes its writer wait. */
export function standardStream(descriptor: 1 | 2): Pick<LogOutputOptions, 'take' | 'later'> {
  const opened = withoutWaiting(descriptor)
  return {
    take: (bytes) => writeSync(opened, bytes),
    later: (flush) => void setTimeout(flush, AGAIN_AFTER_MS),
  }
}

/**
 * A write to a pipe, a terminal or a socket waits for its reader, unless it was opened not to. It is opened anew where that is
 * possible (Linux; a terminal everywhere): otherwise the shell that shares it would find it changed. Otherwise Node's own stream
 * changes it, which it does for pipes and sockets. Files never wait, and on Windows nothing can be done.
 */
function withoutWaiting(descriptor: 1 | 2): number {
  const isTerminal = isatty(descriptor)
  const stat = fstatSync(descriptor)
  if (!isTerminal && !stat.isFIFO() && !stat.isSocket()) return descriptor
  for (const file of [`/proc/self/fd/${descriptor}`, ...(isTerminal ? ['/dev/tty'] : [])]) {
    try {
      return openSync(file, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    } catch {
      // The next way.
    }
  }
  void (descriptor === 1 ? process.stdout : process.stderr)
  return descriptor
}
