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
    return this.publicUrl + CALLBACK_PATH
  }

  get comeBack(): string {
    return this.publicUrl + RETURN_PATH
  }

  get publicUrl(): string {
    const server: Server = this.#host.httpAdapter.getHttpServer()
    const address = server.address()
    if (typeof address === 'object' && address !== null) return `http://127.0.0.1:${address.port}`
    throw new Error('The shop does not listen yet, so it has no address')
  }
}
