import { HttpException } from '@nestjs/common'

/** An error that is shown instead of a page. Its message is the title. */
export class Problem extends HttpException {
  constructor(status: number, title: string) {
    super(title, status)
  }
}
