/**
 * Warns if requests over a socket may never arrive, and clients never close: undici uses `queueMicrotask` here and there, and
 * `jest.useFakeTimers()` replaces it by one that waits for the test.
 */
export function warnOfFakedMicrotasks(): void {
  if (!isFaked(globalThis.queueMicrotask)) return
  process.emitWarning(
    'queueMicrotask is faked, so requests over a socket may hang, and so may close: write ' +
      "jest.useFakeTimers({ doNotFake: ['queueMicrotask'] }), or give startGateway socket: false",
    { type: 'TestGatewayWarning', code: 'MICROTASKS_FAKED' },
  )
}

/** The fakes of jest and of vitest both have their clock as a property. */
function isFaked(timer: object): boolean {
  return 'clock' in timer
}
