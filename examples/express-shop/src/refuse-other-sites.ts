import type { Pages } from '@tallystick/shop-kit'
import type { RequestHandler } from 'express'
import { send } from './send.ts'

/**
 * Refuses forms that a page of another site sent. Browsers may send this shop's cookies along, but name that site in `Origin`.
 * A request without the header does not come from a form in a browser.
 */
export function refuseOtherSites(publicUrl: string, pages: Pages): RequestHandler {
  const { origin, port } = new URL(publicUrl)
  const own = [origin, `http://localhost:${port}`]
  return (request, response, next) => {
    const { origin: sender } = request.headers
    if (request.method !== 'POST' || sender === undefined || own.includes(sender)) return next()
    send(response, pages.problem(403, 'This form was sent from another site'))
  }
}
