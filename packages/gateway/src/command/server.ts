import type { Gateway } from '../gateway.ts'
import type { GatewayReply, GatewayRequest } from '../http/exchange.ts'
import { mayBePage, pageRefused } from '../http/may-be-page.ts'
import { SAFE_HEADERS } from '../http/safe-headers.ts'
import { inTime } from '../in-time.ts'
import type { Metrics } from './metrics.ts'

/** What is served beside the interface, as functions from request to reply. */

type Handle = (request: GatewayRequest) => Promise<GatewayReply>

/**
 * The interface, with `/healthz` (the process answers) and `/readyz` (and its store can be written to).
 *
 * @param started what all but `/healthz` waits for
 */
export function mainPort(started: Promise<Pick<Gateway, 'handle' | 'isReady'>>): Handle {
  return async (request) => {
    if (request.url === '/healthz') return text(200, 'ok\n')
    const gateway = await started
    if (request.url !== '/readyz') return await gateway.handle(request)
    return (await isReady(gateway)) ? text(200, 'ready\n') : text(503, 'the store cannot be written to\n')
  }
}

const RESEND = /^\/callbacks\/(\d{15})\/resend$/

/** A monitoring system waits for 10 s, and has to hear the rest above all while the store says nothing. */
const METRICS_WAIT_MS = 5_000

export interface Operations {
  readonly metrics: Metrics
  /** What the port listens on. */
  readonly host?: string | undefined
  readonly onError: (error: unknown) => void
}

/**
 * `/metrics` for a monitoring system, by whatever name it asks, and `POST /callbacks/{orderId}/resend` for the `resend` command,
 * not for pages of browsers.
 */
export function operationsPort(
  gateway: Pick<Gateway, 'isReady' | 'resendCallbacks' | 'clock'>,
  { metrics, host, onError }: Operations,
): Handle {
  async function page(): Promise<GatewayReply> {
    metrics.setReady(await inTime(isReady(gateway), gateway.clock, METRICS_WAIT_MS).catch(() => false))
    const written = text(200, await metrics.text())
    return { ...written, headers: { ...written.headers, 'content-type': metrics.contentType } }
  }

  async function resend(orderId: string): Promise<GatewayReply> {
    try {
      return text(200, `${await gateway.resendCallbacks(orderId)}\n`)
    } catch (error) {
      onError(error)
      return text(500, 'it is not known whether the callbacks are sent again; the log of the gateway says why\n')
    }
  }

  return async (request) => {
    const { method, url } = request
    if (method === 'GET' && url === '/metrics') return await page()
    const [, orderId] = RESEND.exec(url) ?? []
    if (method !== 'POST' || orderId === undefined)
      return text(404, 'GET /metrics, or POST /callbacks/ORDER_ID/resend\n')
    if (mayBePage(request, host)) return text(403, `${pageRefused(request)}\n`)
    return await resend(orderId)
  }
}

async function isReady(gateway: Pick<Gateway, 'isReady'>): Promise<boolean> {
  return await gateway.isReady().catch(() => false)
}

function text(status: number, body: string): GatewayReply {
  return { status, headers: { ...SAFE_HEADERS, 'content-type': 'text/plain; charset=utf-8' }, body }
}
