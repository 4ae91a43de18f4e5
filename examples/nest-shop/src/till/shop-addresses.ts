import type { Server } from 'node:http'
import { Inject, Injectable } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { type Addresses, CALLBACK_PATH, RETURN_PATH } from '@tallystick/shop-kit'

/** Where browsers and the gateway reach the shop. A shop of yours has this in its configuration; here it is where it listens. */
@Injectable()
export class ShopAddresses implements Addresses {
  readonly #host: HttpAdapterHost

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#host = host
  }

  get callback(): string {
    return `http://127.0.0.1:${this.#port}${CALLBACK_PATH}`
  }

  get comeBack(): string {
    return `http://127.0.0.1:${this.#port}${RETURN_PATH}`
  }

  /** Whether this is the origin of the shop's own pages. */
  isOwn(origin: string): boolean {
    return [`http://127.0.0.1:${this.#port}`, `http://localhost:${this.#port}`].includes(origin)
  }

  get #port(): number {
    const server: Server = this.#host.httpAdapter.getHttpServer()
    const address = server.address()
    if (typeof address === 'object' && address !== null) return address.port
    throw new Error('The shop does not listen yet, so it has no address')
  }
}
