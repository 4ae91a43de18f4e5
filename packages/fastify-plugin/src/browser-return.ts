import { createBrowserReturnHandler, type Handler } from '@tallystick/client'
import type { ClientReturnOptions, JournalReturnOptions } from '@tallystick/client/internal'
import type { FastifyPluginAsync } from 'fastify'
import { route } from './route.ts'

/**
 * Receives the browser that returns from the gateway's pages:
 * `app.register(browserReturn({ journal, show }), { prefix: '/pay/return' })`. It comes from another origin, by POST: register this
 * outside of hooks that require a session or a form token.
 */
export function browserReturn<View>(options: JournalReturnOptions<View>): FastifyPluginAsync
/** The same without a journal: the client asks for the status of the order. */
export function browserReturn(handler: ClientReturnOptions | Handler): FastifyPluginAsync
export function browserReturn<View>(
  handler: JournalReturnOptions<View> | ClientReturnOptions | Handler,
): FastifyPluginAsync {
  return route(typeof handler === 'function' ? handler : createBrowserReturnHandler(handler))
}
