import { errorLine, errorStatus, type Pages } from '@tallystick/shop-kit'
import type { ErrorRequestHandler } from 'express'
import { send } from './send.ts'

/** Logs what failed. The page that is shown says nothing of the internals. */
export function onError(pages: Pages, log: (line: string) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error)
    log(errorLine(error))
    send(response, pages.failed(errorStatus(error)))
  }
}
