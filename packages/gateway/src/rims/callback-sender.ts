import { Agent, request } from 'undici'
import type { SendCallback } from '../callbacks/deliveries.ts'

/** How long a merchant has to acknowledge a callback. */
const TIMEOUT_MS = 15_000

/** Sends callbacks over HTTP/1.1. No redirect is followed: it could lead anywhere. */
export function callbackSender(): { readonly send: SendCallback; close(): Promise<void> } {
  const agent = new Agent({ allowH2: false, connect: { timeout: TIMEOUT_MS } })
  return {
    send: async (url) => {
      const reply = await request(url, { dispatcher: agent, signal: AbortSignal.timeout(TIMEOUT_MS) })
      await reply.body.dump({ limit: 65_536 })
      return reply.statusCode
    },
    close: () => agent.close(),
  }
}
