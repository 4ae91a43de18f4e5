import { errorLine, type Pages } from '@tallystick/shop-kit'
import type { ErrorRequestHandler } from 'express'
import { send } from './send.ts'

/** Tells the log what failed, and whoever asked nothing of the inside. */
export function onError(pages: Pages, log: (line: string) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error)
    log(errorLine(error))
    const text = 'Please do not pay again before the page of your order has told you how it stands.'
    send(response, pages.problem(statusOf(error), 'This did not work', text))
  }
}

/** Body parsers and the handlers of payments name one: 503 has the gateway call again. */
function statusOf(error: unknown): number {
  const isNamed = typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number'
  return isNamed ? Number(error.status) : 500
}
