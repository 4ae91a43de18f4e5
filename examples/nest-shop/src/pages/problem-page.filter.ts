import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Logger } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import type { Outbound } from '@tallystick/client'
import { errorLine, type Pages } from '@tallystick/shop-kit'
import { PAGES } from './pages.provider.ts'
import { Problem } from './problem.ts'
import { writeHead } from './write-head.ts'

/** Logs what failed. The page that is shown says nothing of the internals. */
@Catch()
export class ProblemPageFilter implements ExceptionFilter {
  readonly #pages: Pages
  readonly #host: HttpAdapterHost
  readonly #logger = new Logger('shop')

  constructor(@Inject(PAGES) pages: Pages, @Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#pages = pages
    this.#host = host
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const { httpAdapter } = this.#host
    const response: unknown = host.switchToHttp().getResponse()
    if (httpAdapter.isHeadersSent(response)) return
    const page = this.#pageOf(error)
    writeHead(httpAdapter, response, page)
    httpAdapter.reply(response, page.body)
  }

  #pageOf(error: unknown): Outbound {
    if (error instanceof Problem) return this.#pages.problem(error.getStatus(), error.message)
    const status = statusOf(error)
    if (status === 404) return this.#pages.problem(404, 'There is no such page')
    this.#logger.error(errorLine(error))
    const text = 'Please do not pay again until the page of your order shows whether you have paid.'
    return this.#pages.problem(status, 'This did not work', text)
  }
}

/** Errors of body parsers, Nest and payment handlers have a status. A 503 makes the gateway call again. */
function statusOf(error: unknown): number {
  const isNamed = typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number'
  return isNamed ? Number(error.status) : 500
}
