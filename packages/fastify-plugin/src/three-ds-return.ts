import { createThreeDsReturnHandler, type Handler } from '@tallystick/client'
import type { ThreeDsReturnOptions } from '@tallystick/client/internal'
import type { FastifyPluginAsync } from 'fastify'
import { route } from './route.ts'

/**
 * Leads the browser through 3-D Secure: `app.register(threeDsReturn({ client, returnUrl, show }), { prefix: '/pay/3ds' })`, where the
 * prefix is the path of `returnUrl`. It comes from another origin, by POST: register this outside of hooks that require a session or
 * a form token.
 */
export function threeDsReturn(handler: Handler | ThreeDsReturnOptions): FastifyPluginAsync {
  return route(typeof handler === 'function' ? handler : createThreeDsReturnHandler(handler))
}
