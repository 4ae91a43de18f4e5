import { createCallbackHandler, type Handler } from '@tallystick/client'
import type { CallbackHandlerOptions, InboxHandlerOptions } from '@tallystick/client/internal'
import type { FastifyPluginAsync } from 'fastify'
import { route } from './route.ts'

/**
 * Receives the callbacks of a gateway: `app.register(paymentCallbacks({ client, inbox }), { prefix: '/payments/callback' })`. Works
 * whatever parsers the app has. Register one for each merchant.
 */
export function paymentCallbacks(handler: Handler | CallbackHandlerOptions | InboxHandlerOptions): FastifyPluginAsync {
  return route(typeof handler === 'function' ? handler : createCallbackHandler(handler))
}
