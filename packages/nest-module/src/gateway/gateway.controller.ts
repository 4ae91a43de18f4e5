import { All, Inject, Req, Res, type Type } from '@nestjs/common'
import type { AbstractHttpAdapter } from '@nestjs/core'
import { type GatewayHandle, readGatewayRequest } from '@tallystick/client'
import { nodeRequestOf, type PlatformRequest, type PlatformResponse, send } from '../routes/platform.ts'
import { type RouteOptions, routeController } from '../routes/route-options.ts'

/** What every controller of this file has. */
interface Answers {
  answer(request: PlatformRequest, response: PlatformResponse): Promise<void>
}

/** A controller for one path. {@link routeBelow} routes everything below it. */
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
 * Routes everything at and below the controller's path to it. Called before Nest reads its routes. The class cannot do it,
 * because Express and Fastify spell a wildcard differently.
 */
export function routeBelow(controller: Type<Answers>, httpAdapter: AbstractHttpAdapter): void {
  const wildcard = httpAdapter.getType() === 'fastify' ? '*' : '*path'
  All(['', wildcard])(controller.prototype, 'answer', { value: controller.prototype.answer })
}

/** What can be mounted: what `createGateway` returns, or a function like its `handle`. */
export type MountedGateway = GatewayHandle | { readonly handle: GatewayHandle; close?(): Promise<void> }

/** Provided within the module of one gateway. */
export const GATEWAY = Symbol('gateway')
export const CONTROLLER = Symbol('controller')
