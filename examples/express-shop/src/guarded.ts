import type { Pages, Refusal } from '@tallystick/shop-kit'
import type { Request, RequestHandler } from 'express'
import { send } from './send.ts'

/** Shows why a request is refused, or passes it on. */
export function guarded(pages: Pages, refusalOf: (request: Request) => Refusal | undefined): RequestHandler {
  return (request, response, next) => {
    const refusal = refusalOf(request)
    if (refusal === undefined) return next()
    const { status, title, headers } = refusal
    send(response, pages.problem(status, title, { headers }))
  }
}
