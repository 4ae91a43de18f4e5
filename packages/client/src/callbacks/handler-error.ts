/** Why a handler could not answer. */
export type HandlerErrorCode =
  /** The sender went away before its body was whole. */
  | 'BODY_CUT'
  /** Something else in this app has read the body, or a part of it. Mount the handler before it. */
  | 'BODY_TAKEN'
  /** The inbox, the journal, the status or your `onOutcome` failed; `cause` says how. */
  | 'NOT_TAKEN'

const FAILURES: Readonly<Record<HandlerErrorCode, { readonly status: 400 | 503; readonly message: string }>> = {
  BODY_CUT: { status: 400, message: 'The request ended before its body was whole.' },
  BODY_TAKEN: {
    status: 503,
    message:
      'Something else has read the body of this request, so it cannot be handled: mount the route before that middleware.',
  },
  NOT_TAKEN: { status: 503, message: 'The request cannot be handled now; send it again.' },
}

/**
 * What a handler throws, for the error handler of the app. Answer the request with `status`: a gateway calls again if it is
 * not 200. The message reveals nothing internal; `cause` does, for the log.
 */
export class HandlerError extends Error {
  readonly code: HandlerErrorCode
  readonly status: 400 | 503
  /** The same, under the name that Nest and Fastify use. */
  readonly statusCode: 400 | 503
  /** Express: the message is for the log. */
  readonly expose = false

  constructor(code: HandlerErrorCode, cause?: unknown) {
    const { status, message } = FAILURES[code]
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.status = status
    this.statusCode = status
  }

  override get name(): string {
    return 'HandlerError'
  }
}

/** Errors in `work` are answered with 503: a callback must come again, and a customer may. */
export async function taking<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new HandlerError('NOT_TAKEN', error)
  }
}
