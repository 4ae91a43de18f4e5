import type { OperationKey } from '@tallystick/core'
import { answerRequest } from './engine.ts'
import type { Service } from './flow/service.ts'
import { overloaded, render, serverError } from './http/answer.ts'
import type { Claim, Entrance } from './http/entrance.ts'
import type { Handle } from './http/handle.ts'
import { readRequest, replyFormat } from './http/read-request.ts'
import { inTime } from './in-time.ts'
import type { Answered, GatewayOptions } from './options.ts'

export interface FrontDoor {
  readonly service: Service
  readonly basePath: string
  readonly enter: Entrance
  readonly options: Pick<GatewayOptions, 'replyFormat' | 'numericIds'>
  readonly onAnswer: (answered: Answered) => void
  /** Resolves once it is known what the last process left. Requests wait for it. */
  readonly recovered: () => Promise<void>
}

/** Takes requests in and sends answers out. Handles their format, time limit, load and unexpected failures. */
export function frontDoor({ service, basePath, enter, options, onAnswer, recovered }: FrontDoor): Handle {
  const { ids, clock, profile } = service
  const { numericIds } = options

  return async (request) => {
    const serialNumber = ids.serialNumber()
    const started = clock.now()
    const format = replyFormat(request, options.replyFormat)
    let operation: OperationKey | undefined
    const answer = async (claim: Claim | undefined) => {
      const read = readRequest(request, basePath, format)
      if (read.ok) operation = read.key
      if (claim === undefined) return overloaded()
      if (!read.ok) return read.answer
      await recovered()
      return await inTime(answerRequest(read, serialNumber, { ...service, claim }), clock)
    }
    const answered = await enter({ serialNumber, answer, failed: serverError })
    const { httpStatus, values } = answered
    onAnswer({
      serialNumber,
      operation,
      httpStatus,
      errorCode: textOf(values['errorCode']),
      orderId: textOf(values['orderId']),
      milliseconds: clock.now() - started,
    })
    return render(answered, { serialNumber, format, numericIds, profile })
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
