import { shop } from '../../../lib/payments'

export const GET = (request: Request) => shop().payments.fetch(request)
export const POST = GET
