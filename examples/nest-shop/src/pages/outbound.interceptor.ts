import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import type { Outbound } from '@tallystick/client'
import { map, type Observable } from 'rxjs'
import { writeHead } from './write-head.ts'

/** Sends what a controller returns: a page as status, headers and body. */
@Injectable()
export class OutboundInterceptor implements NestInterceptor<Outbound, string> {
  readonly #host: HttpAdapterHost

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#host = host
  }

  intercept(context: ExecutionContext, next: CallHandler<Outbound>): Observable<string> {
    const response: unknown = context.switchToHttp().getResponse()
    return next.handle().pipe(
      map((outbound) => {
        writeHead(this.#host.httpAdapter, response, outbound)
        return outbound.body
      }),
    )
  }
}
