/** The handler did not end in time. It may still be running: nothing that it was given may be used by anything else. */
export class HandlerTimeoutError extends Error {
  readonly code = 'HANDLER_TIMEOUT'

  constructor(what: string, limitMs: number) {
    super(`${what} did not end within ${limitMs} ms (handlerTimeoutMs); it is called again later`)
    this.name = 'HandlerTimeoutError'
  }
}
