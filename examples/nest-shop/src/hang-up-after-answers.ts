import type { Server } from 'node:http'
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'

/**
 * While the app closes, hangs up on whoever has been answered. By itself Node hangs up on those alone that wait when it begins,
 * and a browser that gets its answer later would hold up the end of the app: for 72 s, as Fastify has it.
 */
@Injectable()
export class HangUpAfterAnswers implements OnApplicationBootstrap {
  readonly #host: HttpAdapterHost

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#host = host
  }

  onApplicationBootstrap(): void {
    const server: Server = this.#host.httpAdapter.getHttpServer()
    server.on('request', (_request, response) => {
      response.once('close', () => {
        if (!server.listening) server.closeIdleConnections()
      })
    })
  }
}
