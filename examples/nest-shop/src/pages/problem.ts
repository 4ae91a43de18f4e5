import { HttpException } from '@nestjs/common'

/** An error that is shown instead of a page. Its message is the title. */
export class Problem extends HttpException {
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, title: string, headers: Readonly<Record<string, string>> = {}) {
    super(title, status)
    this.headers = headers
  }
}
