import type { RequestHandler } from '@sveltejs/kit'
import { shop } from '../../../lib/server/payments.ts'

export const GET: RequestHandler = ({ request }) => shop().payments.fetch(request)
export const POST = GET
