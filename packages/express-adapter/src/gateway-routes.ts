import { type GatewayHandle, readGatewayRequest } from '@tallystick/client'
import type { RequestHandler } from 'express'
import { answerWith } from './route.ts'

/**
 * Serves a gateway in an app: `app.use('/paynet', gatewayRoutes(gateway))`, where the path, with all prefixes, is that of the
 * gateway's `publicUrl`. It answers all that reaches it.
 */
export function gatewayRoutes(gateway: GatewayHandle | { readonly handle: GatewayHandle }): RequestHandler {
  const handle: GatewayHandle = typeof gateway === 'function' ? gateway : (request) => gateway.handle(request)
  return answerWith(async (request) => await handle(await readGatewayRequest(request)))
}
