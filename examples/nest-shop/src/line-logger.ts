import type { LoggerService } from '@nestjs/common'

/** Logs everything of Nest and the shop, one line per message. */
export class LineLogger implements LoggerService {
  readonly #write: (line: string) => void

  constructor(write: (line: string) => void) {
    this.#write = write
  }

  log(message: unknown, ...more: readonly unknown[]): void {
    this.#line(message, more)
  }

  warn(message: unknown, ...more: readonly unknown[]): void {
    this.#line(message, more)
  }

  error(message: unknown, ...more: readonly unknown[]): void {
    this.#line(message, more)
  }

  /** The last argument that Nest passes is the context, the name of the logger. For an error the stack comes before it. */
  #line(message: unknown, more: readonly unknown[]): void {
    const who = more.at(-1)
    const said = String(message)
    this.#write(typeof who === 'string' ? `${who}: ${said}` : said)
  }
}
