import { createThreeDsReturnHandler, type Handler } from '@tallystick/client'
import type { ThreeDsReturnOptions } from '@tallystick/client/internal'
import type { RequestHandler } from 'express'
import { route } from './route.ts'

/**
 * Leads the browser through 3-D Secure: `app.use('/pay/3ds', threeDsReturn({ client, returnUrl, show }))`, mounted at the
 * path of `returnUrl`. It comes from another origin, by POST: mount this before middleware that requires a session or a form
 * token.
 */
export function threeDsReturn(handler: Handler | ThreeDsReturnOptions): RequestHandler {
  return route(typeof handler === 'function' ? handler : createThreeDsReturnHandler(handler))
}
