import { All, Inject, Req, Res, type Type } from '@nestjs/common'
import type { AbstractHttpAdapter } from '@nestjs/core'
import { readGatewayRequest } from '@tallystick/client'
import { nodeRequestOf, type PlatformRequest, type PlatformResponse, send } from '../routes/platform.ts'
import { routeController } from '../routes/route-controller.ts'
import type { RouteOptions } from '../routes/route-options.ts'
import { GATEWAY, type MountedGateway } from './mounted-gateway.ts'

/** What a controller of this file has, whichever route it is for. */
interface Answers {
  answer(request: PlatformRequest, response: PlatformResponse): Promise<void>
}

/** A controller for one path. What is below it is routed by {@link routeBelow}. */
export function gatewayController(route: RouteOptions): Type<Answers> {
  class GatewayController implements Answers {
    readonly #gateway: MountedGateway

    constructor(@Inject(GATEWAY) gateway: MountedGateway) {
      this.#gateway = gateway
    }

    async answer(@Req() request: PlatformRequest, @Res() response: PlatformResponse): Promise<void> {
      const gateway = this.#gateway
      const inbound = await readGatewayRequest(nodeRequestOf(request))
      const reply = await (typeof gateway === 'function' ? gateway(inbound) : gateway.handle(inbound))
      send(response, reply)
    }
  }
  return routeController(GatewayController, `PaymentGateway(${route.path})`, route)
}

/**
 * Routes everything at and below the controller's path to it. Before Nest reads its routes, and not in the class: no
 * spelling of a wildcard is one for both platforms.
 */
export function routeBelow(controller: Type<Answers>, httpAdapter: AbstractHttpAdapter): void {
  const wildcard = httpAdapter.getType() === 'fastify' ? '*' : '*path'
  All(['', wildcard])(controller.prototype, 'answer', { value: controller.prototype.answer })
}
