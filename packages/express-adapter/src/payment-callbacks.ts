import {
  type CallbackHandlerOptions,
  createCallbackHandler,
  type Handler,
  type InboxHandlerOptions,
} from '@tallystick/client'
import type { RequestHandler } from 'express'
import { route } from './route.ts'

/**
 * Takes the callbacks of a gateway: `app.use('/payments/callback', paymentCallbacks({ client, inbox }))`. Works before and
 * after any body parser, under any prefix, once for each merchant.
 */
export function paymentCallbacks(handler: Handler | CallbackHandlerOptions | InboxHandlerOptions): RequestHandler {
  return route(typeof handler === 'function' ? handler : createCallbackHandler(handler))
}
