import type { ReplyFormat } from '@tallystick/core'
import { answerRequest } from './engine.ts'
import type { Service } from './flow/service.ts'
import { type Answer, overloaded, render, serverError } from './http/answer.ts'
import type { GatewayRequest, Handle } from './http/exchange.ts'
import { type ReadRequest, readRequest, replyFormat, type Unreadable } from './http/read-request.ts'
import { inTime } from './in-time.ts'
import type { Answered, GatewayOptions } from './options.ts'

interface FrontDoor {
  readonly service: Service
  readonly basePath: string
  readonly options: Pick<GatewayOptions, 'replyFormat' | 'numericIds' | 'maxConcurrentRequests' | 'onAnswer'>
  readonly onError: (error: unknown, serialNumber: string) => void
  /** Resolves once what the last process left is known; nothing is answered before. */
  readonly recovered: () => Promise<void>
}

/** Takes requests in and sends answers out: format, time, load, and failures that nobody expected. */
export function frontDoor(door: FrontDoor): Handle {
  const { service, basePath, options, onError, recovered } = door
  const { maxConcurrentRequests = 1000 } = options
  let inside = 0

  async function answer(read: ReadRequest | Unreadable, serialNumber: string): Promise<Answer> {
    if (!read.ok) return read.answer
    await recovered()
    return await inTime(answerRequest(read, serialNumber, service), service.clock)
  }

  async function enter(request: GatewayRequest, format: ReplyFormat | undefined, serialNumber: string) {
    const started = service.clock.now()
    let read: ReadRequest | Unreadable | undefined
    let answered: Answer
    inside++
    try {
      read = readRequest(request, basePath, format)
      answered = inside > maxConcurrentRequests ? overloaded() : await answer(read, serialNumber)
    } catch (error) {
      onError(error, serialNumber)
      answered = serverError()
    } finally {
      inside--
    }
    const operation = read?.ok ? read.key : undefined
    tell(answered, { serialNumber, operation, milliseconds: service.clock.now() - started })
    return answered
  }

  function tell({ httpStatus, values }: Answer, known: Pick<Answered, 'serialNumber' | 'operation' | 'milliseconds'>) {
    try {
      options.onAnswer?.({
        ...known,
        httpStatus,
        errorCode: textOf(values['errorCode']),
        orderId: textOf(values['orderId']),
      })
    } catch (error) {
      onError(error, known.serialNumber)
    }
  }

  return async (request) => {
    const serialNumber = service.ids.serialNumber()
    const format = replyFormat(request, options.replyFormat)
    const answered = await enter(request, format, serialNumber)
    return render(answered, { serialNumber, format, numericIds: options.numericIds, profile: service.profile })
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
