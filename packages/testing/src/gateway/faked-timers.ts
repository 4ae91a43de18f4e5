/** What undici calls between two requests of a connection. */
const NEEDED = ['queueMicrotask', 'setImmediate'] as const

/** As they were before any test: the fakes of `node:test` show no sign of what they are. */
const FIRST = { queueMicrotask: globalThis.queueMicrotask, setImmediate: globalThis.setImmediate }

/** Warns if requests over a socket may never arrive, and clients never close, because the fake of a timer waits for the test. */
export function warnOfFakedTimers(): void {
  const faked = NEEDED.filter(isFaked)
  if (faked.length === 0) return
  process.emitWarning(
    `${faked.join(' and ')} ${faked.length > 1 ? 'are' : 'is'} faked, so requests over a socket may hang, and so may close: ` +
      'fake only what the test needs, such as Date and setTimeout, or give startGateway socket: false',
    { type: 'TestGatewayWarning', code: 'TIMERS_FAKED' },
  )
}

/** The fakes of jest and of vitest have their clock as a property, also those that were there before this file. */
function isFaked(name: (typeof NEEDED)[number]): boolean {
  const timer: object | undefined = globalThis[name]
  return timer !== undefined && (timer !== FIRST[name] || 'clock' in timer)
}
