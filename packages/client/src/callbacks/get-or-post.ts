import { answer, type Handler } from './handler.ts'

/** Gateways and issuers use only GET and POST (gaps part 6). */
export function getOrPost(handle: Handler): Handler {
  return async (inbound) =>
    inbound.method === 'GET' || inbound.method === 'POST'
      ? await handle(inbound)
      : answer(405, 'Use GET or POST.', { allow: 'GET, POST' })
}
