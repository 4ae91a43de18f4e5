import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Logger } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import type { Outbound } from '@tallystick/client'
import { errorLine, errorStatus, type Pages } from '@tallystick/shop-kit'
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
    if (error instanceof Problem) {
      return this.#pages.problem(error.getStatus(), error.message, { headers: error.headers })
    }
    const status = errorStatus(error)
    if (status === 404) return this.#pages.problem(404, 'There is no such page')
    this.#logger.error(errorLine(error))
    return this.#pages.failed(status)
  }
}
