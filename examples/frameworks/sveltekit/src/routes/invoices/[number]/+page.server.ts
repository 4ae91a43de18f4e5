import type { ServerLoad } from '@sveltejs/kit'
import { shop } from '../../../lib/server/payments.ts'

export const load: ServerLoad = ({ params, request }) =>
  shop().page(params['number'] ?? '', request.headers.get('accept-language'))
