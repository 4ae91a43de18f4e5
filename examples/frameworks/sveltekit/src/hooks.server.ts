import type { Handle, ServerInit } from '@sveltejs/kit'
import { shop } from './lib/server/payments.ts'

/** With the server, so that what was under way at its end goes on without a customer. With wrong keys it does not start. */
export const init: ServerInit = async () => {
  const { payments } = shop()
  // Of the adapter for Node: the server has stopped.
  process.once('sveltekit:shutdown', () => void shop().close())
  await payments.ready()
}

/** SvelteKit's own check of origins is off, because the payment routes need none: they prove nothing by themselves. */
export const handle: Handle = async ({ event, resolve }) => {
  const { request, url } = event
  const isSafe = request.method === 'GET' || request.method === 'HEAD'
  const isOurs = isSafe || request.headers.get('origin') === shop().origin
  if (!isOurs && !url.pathname.startsWith('/payments/')) return new Response('Forbidden', { status: 403 })
  return await resolve(event)
}
