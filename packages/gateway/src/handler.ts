import type { Profile } from '@tallystick/core'
import type { GatewayRequest } from '@tallystick/core/internal'
import type { Service } from './context.ts'
import type { RefusedAnswer, RequestEvent } from './events.ts'
import type { Claim, Entrance } from './http/concurrency-limit.ts'
import { type Answer, overloaded, render, serverError } from './http/reply.ts'
import { type Handle, type ReadRequest, readRequest, replyFormat, shownPath, valuesByName } from './http/request.ts'
import type { GatewayOptions } from './options.ts'
import { loginOf } from './requests/explain-refusal.ts'
import { handleRequest } from './requests/handle-request.ts'
import { inTime } from './runtime/tasks.ts'

interface RequestHandler {
  readonly service: Service
  readonly basePath: string
  readonly enter: Entrance
  readonly options: Pick<GatewayOptions, 'replyFormat' | 'numericIds'>
  readonly onAnswer: (answered: RequestEvent) => void
  /** Resolves once it is known what the last process left. Requests wait for it. */
  readonly recovered: () => Promise<void>
}

/** Takes requests in and sends answers out. Handles their format, time limit, load and unexpected failures. */
export function requestHandler({ service, basePath, enter, options, onAnswer, recovered }: RequestHandler): Handle {
  const { ids, clock, profile } = service
  const { numericIds } = options

  return async (request) => {
    const serialNumber = ids.serialNumber()
    const started = clock.now()
    const format = replyFormat(request, options.replyFormat)
    let asked: ReadRequest | undefined
    const answer = async (claim: Claim | undefined) => {
      const read = readRequest(request, basePath, { format, isSandbox: service.sandbox })
      if (read.ok) asked = read
      request.trace?.read(asked)
      if (claim === undefined) return overloaded()
      if (!read.ok) return read.answer
      await recovered()
      return await inTime(handleRequest(read, serialNumber, { service, claim, trace: request.trace }), clock)
    }
    const answered = await enter({ serialNumber, answer, failed: serverError })
    const { httpStatus, values } = answered
    const refused = httpStatus < 400 ? undefined : refusedAnswer(request, asked, answered, profile)
    request.trace?.answered(serialNumber, answered, refused?.login)
    onAnswer({
      serialNumber,
      operation: asked?.key,
      httpStatus,
      errorCode: textOf(values['errorCode']),
      orderId: textOf(values['orderId']),
      milliseconds: clock.now() - started,
      refused,
    })
    return render(answered, { serialNumber, format, numericIds, profile })
  }
}

/** @param asked the request as it was read, if it could be */
export function refusedAnswer(
  { method, url, peer }: GatewayRequest,
  asked: ReadRequest | undefined,
  { reason, values }: Pick<Answer, 'reason' | 'values'>,
  profile: Profile,
): RefusedAnswer {
  return {
    method,
    path: shownPath(url),
    peer,
    endpointId: asked?.endpoint.id,
    login: asked && loginOf({ request: asked, profile }),
    clientOrderId: asked && valuesByName(asked, profile)['clientOrderId']?.trim(),
    reason: reason ?? textOf(values['errorMessage']),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
