import { All, Controller, Inject, Req, Res, type Type } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { type Handler, type NodeRequest, readInbound } from '@tallystick/client'
import { CALLBACK_HANDLER } from './payments.tokens.ts'

/** A controller for one path. A class of its own each time, because Nest keeps the path on the class. */
export function callbackController(path: string): Type<unknown> {
  @Controller(path)
  class CallbackController {
    readonly #handle: Handler
    readonly #host: HttpAdapterHost

    constructor(@Inject(CALLBACK_HANDLER) handle: Handler, @Inject(HttpAdapterHost) host: HttpAdapterHost) {
      this.#handle = handle
      this.#host = host
    }

    @All()
    async receive(@Req() request: NodeRequest, @Res() response: unknown): Promise<void> {
      const { status, headers, body } = await this.#handle(await readInbound(request))
      const { httpAdapter } = this.#host
      for (const [name, value] of Object.entries(headers)) httpAdapter.setHeader(response, name, value)
      httpAdapter.reply(response, body, status)
    }
  }
  return CallbackController
}
