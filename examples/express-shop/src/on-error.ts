import { errorLine, type Pages } from '@tallystick/shop-kit'
import type { ErrorRequestHandler } from 'express'
import { send } from './send.ts'

/** Logs what failed. The page that is shown says nothing of the internals. */
export function onError(pages: Pages, log: (line: string) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error)
    log(errorLine(error))
    const text = 'Please do not pay again until the page of your order shows whether you have paid.'
    send(response, pages.problem(statusOf(error), 'This did not work', text))
  }
}

/** Errors of body parsers and payment handlers have a status. A 503 makes the gateway call again. */
function statusOf(error: unknown): number {
  const isNamed = typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number'
  return isNamed ? Number(error.status) : 500
}
