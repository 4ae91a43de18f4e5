import { createCallbackHandler, type Handler } from '@tallystick/client'
import type { CallbackHandlerOptions, InboxHandlerOptions } from '@tallystick/client/internal'
import type { RequestHandler } from 'express'
import { route } from './route.ts'

/**
 * Receives the callbacks of a gateway: `app.use('/payments/callback', paymentCallbacks({ client, inbox }))`. Works before and
 * after any body parser and under any prefix. Mount one for each merchant.
 */
export function paymentCallbacks(handler: Handler | CallbackHandlerOptions | InboxHandlerOptions): RequestHandler {
  return route(typeof handler === 'function' ? handler : createCallbackHandler(handler))
}
