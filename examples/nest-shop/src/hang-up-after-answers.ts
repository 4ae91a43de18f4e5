import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { hangUpAfterAnswers } from '@tallystick/shop-kit'

/** A browser that gets its answer while the app closes would hold up its end: for 72 s, as Fastify has it. */
@Injectable()
export class HangUpAfterAnswers implements OnApplicationBootstrap {
  readonly #host: HttpAdapterHost

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#host = host
  }

  onApplicationBootstrap(): void {
    hangUpAfterAnswers(this.#host.httpAdapter.getHttpServer())
  }
}
