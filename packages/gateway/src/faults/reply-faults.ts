import { type GatewayReply, type GatewayRequest, type Profile, toMinorUnits } from '@tallystick/core'
import { exponentOf } from '@tallystick/core/internal'
import { type Answer, type Handle, overloaded, SAFE_HEADERS, serverError } from '../http/reply.ts'
import { type ReadRequest, readRequest, valuesByName } from '../http/request.ts'
import type { Clock } from '../runtime/clock.ts'
import type { FaultPlan, FaultyRequest } from './fault-plan.ts'
import type { FaultAt } from './faults.ts'

export interface ReplyFaultDependencies {
  readonly desk: FaultPlan
  readonly handle: Handle
  readonly basePath: string
  readonly profile: Profile
  readonly clock: Clock
  /** Writes an answer in the format that the caller of the request reads. */
  readonly render: (answer: Answer, request: GatewayRequest) => GatewayReply
}

/** How long a slow reply takes: less than the seventy seconds that a client waits (gaps part 13). */
const SLOW_MS = 10_000

/** The connection is cut without a reply. */
const LOST: GatewayReply = { status: 0, headers: {}, body: '', cut: 'before-reply' }

/** What a proxy in front of a gateway might say. */
const PAGE: GatewayReply = {
  status: 200,
  headers: { ...SAFE_HEADERS, 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html>\n<html lang="en"><title>One moment</title><p>We will be back in a moment.</p></html>\n',
}

/** A request that has a fault, and the gateway behind it. */
interface Faulty {
  readonly reply: () => Promise<GatewayReply>
  readonly render: (answer: Answer) => GatewayReply
  readonly clock: Clock
}

/** What each fault makes of a reply. The request is carried out when `reply` is called. */
const REPLY_FAULTS: { readonly [Name in FaultAt<'reply'>]: (faulty: Faulty) => Promise<GatewayReply> } = {
  'reply-lost-before-commit': async () => LOST,
  'reply-lost-after-commit': async ({ reply }) => {
    await reply()
    return LOST
  },
  'slow-reply': async ({ reply, clock }) => {
    const slow = await reply()
    await new Promise<void>((resolve) => clock.schedule(SLOW_MS, resolve))
    return slow
  },
  'error-then-committed': async ({ reply, render }) => {
    await reply()
    return render(serverError())
  },
  overloaded: async ({ render }) => render(overloaded()),
  'html-page': async ({ reply }) => {
    await reply()
    return PAGE
  },
  'truncated-body': async ({ reply }) => {
    const whole = await reply()
    return { ...whole, body: whole.body.slice(0, whole.body.length / 2), cut: 'within-body' }
  },
}

/** Answers requests, each with the fault that its reply has. */
export function withReplyFaults({ desk, handle, basePath, profile, clock, render }: ReplyFaultDependencies): Handle {
  return async (request) => {
    const read = readRequest(request, basePath, { format: 'json' })
    const fault = read.ok ? desk.strikeReply(faultyRequest(read, profile)) : undefined
    const reply = () => handle(request)
    if (fault === undefined) return await reply()
    return await REPLY_FAULTS[fault]({ reply, clock, render: (answer) => render(answer, request) })
  }
}

function faultyRequest(request: ReadRequest, profile: Profile): FaultyRequest {
  const values = valuesByName(request, profile)
  const { clientOrderId = '', amount = '', currency = '', cardNumber = '', destinationCardNumber = '' } = values
  const digits = toMinorUnits(amount.trim(), exponentOf(currency.trim(), profile.exponents))
  return {
    operation: request.key,
    clientOrderId: clientOrderId.trim() || undefined,
    marks: {
      amount: digits === undefined ? undefined : BigInt(digits),
      cards: [cardNumber.trim(), destinationCardNumber.trim()].map((number) => ({
        bin: number.slice(0, 6),
        lastFourDigits: number.slice(-4),
      })),
    },
  }
}
