import type { RequestHandler } from '@sveltejs/kit'
import { shop } from '../../../../lib/server/payments.ts'

export const POST: RequestHandler = async ({ params, request, getClientAddress }) => {
  const payment = await shop().pay(params['number'] ?? '', getClientAddress()) // behind a proxy, set ADDRESS_HEADER
  if (payment.show === 'redirect') return Response.redirect(payment.location, 303)
  return new Response(payment.text(request.headers.get('accept-language') ?? undefined))
}
