import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { hangUpAfterAnswers } from '@tallystick/shop-kit'

/** Without this, a browser that gets its response while the app closes would delay the end by 72 s, Fastify's idle timeout. */
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
