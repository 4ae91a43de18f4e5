import type { Exchange, OutgoingRequest } from '@tallystick/client'
import type { Gateway } from '@tallystick/gateway'

/** Sends a request of a client to a gateway in this process, with nothing in between that could go wrong. */
export async function askDirectly(
  { handle }: Pick<Gateway, 'handle'>,
  { url, headers, body }: OutgoingRequest,
): Promise<Extract<Exchange, { kind: 'replied' }>> {
  const { pathname, search } = new URL(url)
  const reply = await handle({ method: 'POST', url: pathname + search, headers, body })
  return {
    kind: 'replied',
    httpStatus: reply.status,
    mediaType: reply.headers['content-type'] ?? '',
    body: reply.body,
  }
}
