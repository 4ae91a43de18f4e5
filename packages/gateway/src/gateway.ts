import type { ReplyFormat } from '@tallystick/core'
import { simulator } from './acquirer/simulator.ts'
import { background } from './background.ts'
import { deliveries } from './callbacks/deliveries.ts'
import type { Clock } from './clock.ts'
import { answerRequest, type Engine } from './engine.ts'
import { type Answer, render, serverError } from './http/answer.ts'
import type { GatewayReply, GatewayRequest } from './http/exchange.ts'
import { readRequest, replyFormat } from './http/read-request.ts'
import { readMerchants } from './merchants.ts'
import { type GatewayOptions, readAddresses } from './options.ts'
import { callbackSender } from './rims/callback-sender.ts'
import { randomFraction, randomIds, randomKey, systemClock } from './rims/system.ts'
import { memoryStore } from './store/memory-store.ts'

export interface Gateway {
  /** Answers one request. Never throws: a failure inside is a 500 that tells nothing of the inside. */
  handle(request: GatewayRequest): Promise<GatewayReply>
  readonly clock: Clock
  /** Resolves when everything that was acknowledged is decided, and every callback that is due was tried. */
  settled(): Promise<void>
  /** Finishes what goes on and gives up the callbacks that wait. */
  close(): Promise<void>
}

/**
 * Makes a gateway: the service side of the interface as a function from request to reply.
 *
 * @throws TypeError that names a wrong setting
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { profile, basePath } = readAddresses(options)
  const { clock = systemClock, replyFormat: withoutAccept = 'json' } = options
  const onError = quietly(options.onError)
  const sender = callbackSender()
  const work = background(onError)
  const calls = deliveries({
    send: options.sendCallback ?? sender.send,
    clock,
    background: work,
    fraction: randomFraction,
  })
  const engine: Engine = {
    merchants: readMerchants(options.merchants),
    profile,
    clock,
    digestKey: randomKey(),
    store: options.store ?? memoryStore(),
    acquirer: options.acquirer ?? simulator(),
    ids: options.ids ?? randomIds,
    background: work,
    deliveries: calls,
  }
  return {
    handle: (request) => handle(request, { engine, basePath, withoutAccept, onError }),
    clock,
    settled: work.settled,
    close: async () => {
      await work.settled()
      calls.stop()
      await sender.close()
    },
  }
}

/** A listener that throws must not take an answer, or the process, with it. */
function quietly(onError: GatewayOptions['onError']): NonNullable<GatewayOptions['onError']> {
  return (error, serialNumber) => {
    try {
      onError?.(error, serialNumber)
    } catch {
      // There is nobody left to tell.
    }
  }
}

interface Front {
  readonly engine: Engine
  readonly basePath: string
  readonly withoutAccept: ReplyFormat
  readonly onError: NonNullable<GatewayOptions['onError']>
}

async function handle(request: GatewayRequest, front: Front): Promise<GatewayReply> {
  const serialNumber = front.engine.ids.serialNumber()
  const format = replyFormat(request, front.withoutAccept)
  const answer = await answerInTime(async () => {
    const read = readRequest(request, front.basePath, format)
    return read.ok ? await answerRequest(read, serialNumber, front.engine) : read.answer
  }, front).catch((error: unknown) => {
    front.onError(error, serialNumber)
    return serverError('The gateway failed; ask for the status of the order.')
  })
  return render(answer, serialNumber, format ?? 'json')
}

/** How long a request may take; after that its caller has to ask for the status (gaps part 13). */
const ANSWER_WITHIN_MS = 30_000

async function answerInTime(answer: () => Promise<Answer>, { engine }: Front): Promise<Answer> {
  const deadline = Promise.withResolvers<Answer>()
  const cancel = engine.clock.schedule(ANSWER_WITHIN_MS, () => deadline.reject(new Error('The answer took too long')))
  try {
    return await Promise.race([answer(), deadline.promise])
  } finally {
    cancel()
  }
}
