import { createBrowserReturnHandler, type Handler } from '@tallystick/client'
import type { ClientReturnOptions, JournalReturnOptions } from '@tallystick/client/internal'
import type { RequestHandler } from 'express'
import { route } from './route.ts'

/**
 * Receives the browser that returns from the gateway's pages: `app.use('/pay/return', browserReturn({ journal, show }))`.
 * It comes from another origin, by POST: mount this before middleware that requires a session or a form token.
 */
export function browserReturn<View>(options: JournalReturnOptions<View>): RequestHandler
/** The same without a journal: the client asks for the status of the order. */
export function browserReturn(handler: ClientReturnOptions | Handler): RequestHandler
export function browserReturn<View>(
  handler: JournalReturnOptions<View> | ClientReturnOptions | Handler,
): RequestHandler {
  return route(typeof handler === 'function' ? handler : createBrowserReturnHandler(handler))
}
