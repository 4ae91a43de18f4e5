import { All, Inject, Req, Res, type Type } from '@nestjs/common'
import { type Handler, readInbound } from '@tallystick/client'
import { nodeRequestOf, type PlatformRequest, type PlatformResponse, send } from './platform.ts'
import { type RouteOptions, routeController } from './route-options.ts'

/** A controller for one handler, which the module provides under `token`. Logs and throttlers show `name`. */
export function handlerController(name: string, route: RouteOptions, token: symbol): Type<unknown> {
  class HandlerController {
    readonly #handle: Handler

    constructor(@Inject(token) handle: Handler) {
      this.#handle = handle
    }

    @All()
    async receive(@Req() request: PlatformRequest, @Res() response: PlatformResponse): Promise<void> {
      send(response, await this.#handle(await readInbound(nodeRequestOf(request))))
    }
  }
  return routeController(HandlerController, name, route)
}
