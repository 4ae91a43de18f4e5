import { request } from 'node:http'

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/**
 * The status of the answer, each on a connection of its own, as from many senders. A Node server closes an idle connection after
 * five seconds, even if the next request is already on its way, and a sender that sends each copy once would take that for a
 * refusal.
 */
export function statusOf(
  url: string,
  { method, body }: { method?: string; body?: string } = {},
): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, {
      agent: false,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: body === undefined ? {} : { ...FORM, 'content-length': body.length },
    })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
      sent.destroy()
    })
    sent.on('error', ({ message }) => resolve(message))
    sent.end(body)
  })
}
