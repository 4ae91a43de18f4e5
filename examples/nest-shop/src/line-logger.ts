import type { LoggerService } from '@nestjs/common'

/** Everything that Nest and the shop log, a line at a time. */
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

  /** The last that Nest hands over is who says it; before that, with an error, where it was thrown. */
  #line(message: unknown, more: readonly unknown[]): void {
    const who = more.at(-1)
    const said = String(message)
    this.#write(typeof who === 'string' ? `${who}: ${said}` : said)
  }
}
