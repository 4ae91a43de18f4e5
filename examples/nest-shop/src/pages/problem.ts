import { HttpException } from '@nestjs/common'

/** What a person is told in place of a page. Its message is the title. */
export class Problem extends HttpException {
  constructor(status: number, title: string) {
    super(title, status)
  }
}
