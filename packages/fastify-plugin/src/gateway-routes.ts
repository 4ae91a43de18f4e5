import { type GatewayHandle, readGatewayRequest } from '@tallystick/client/internal'
import type { FastifyPluginAsync } from 'fastify'
import { answerWith } from './route.ts'

/**
 * Serves a gateway in an app: `app.register(gatewayRoutes(gateway), { prefix: '/paynet' })`. The path, with all prefixes, must be
 * that of the gateway's `publicUrl`. It answers every request below it.
 *
 * @throws TypeError if it is given no gateway
 */
export function gatewayRoutes(gateway: GatewayHandle | { readonly handle: GatewayHandle }): FastifyPluginAsync {
  const handle = handleOf(gateway)
  return answerWith(['/', '/*'], async (request) => await handle(await readGatewayRequest(request)))
}

/** A program without types may pass nothing, or a gateway that it has not awaited. */
function handleOf(gateway: Parameters<typeof gatewayRoutes>[0] | undefined): GatewayHandle {
  if (typeof gateway === 'function') return gateway
  if (typeof gateway?.handle === 'function') return (request) => gateway.handle(request)
  throw new TypeError('gatewayRoutes: pass what createGateway returns, or its handle')
}
