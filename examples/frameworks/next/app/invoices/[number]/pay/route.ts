import { shop } from '../../../../lib/payments'

export async function POST(request: Request, { params }: { params: Promise<{ number: string }> }): Promise<Response> {
  const { number } = await params
  const customerIp = request.headers.get('x-real-ip') ?? '127.0.0.1' // set by your proxy: a Request has no address
  const payment = await shop().pay(number, customerIp)
  if (payment.show === 'redirect') return Response.redirect(payment.location, 303)
  return new Response(payment.text(request.headers.get('accept-language') ?? undefined))
}
