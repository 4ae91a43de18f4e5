import { type GatewayHandle, readGatewayRequest } from '@tallystick/client'
import type { RequestHandler } from 'express'
import { answerWith } from './route.ts'

/**
 * Serves a gateway in an app: `app.use('/paynet', gatewayRoutes(gateway))`, where the path, with all prefixes, is that of the
 * gateway's `publicUrl`. It answers all that reaches it.
 *
 * @throws TypeError for what is no gateway
 */
export function gatewayRoutes(gateway: GatewayHandle | { readonly handle: GatewayHandle }): RequestHandler {
  const handle = handleOf(gateway)
  return answerWith(async (request) => await handle(await readGatewayRequest(request)))
}

/** A program without types may give nothing, or a gateway that it has not awaited. */
function handleOf(gateway: Parameters<typeof gatewayRoutes>[0] | undefined): GatewayHandle {
  if (typeof gateway === 'function') return gateway
  if (typeof gateway?.handle === 'function') return (request) => gateway.handle(request)
  throw new TypeError('gatewayRoutes: give what createGateway gives, or its handle')
}
