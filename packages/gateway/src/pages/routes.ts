import { acsRoutes } from '../acs/acs-routes.ts'
import type { PageRoute } from './page-route.ts'
import { showOrder } from './show-order.ts'
import { submitForm } from './submit-form.ts'
import { takeCRes, takeMethodResult, takePaRes } from './three-ds-results.ts'

/** Every page of the gateway. */
export const pageRoutes: readonly PageRoute[] = [
  { method: 'GET', path: '/form/{token}', handle: showOrder },
  { method: 'POST', path: '/form/{token}', handle: submitForm },
  { method: 'GET', path: '/3ds/redirect/{token}', handle: showOrder },
  // A restored tab opens these by GET, and brings no result.
  { method: 'GET', path: '/3ds/method/{token}', handle: showOrder },
  { method: 'POST', path: '/3ds/method/{token}', handle: takeMethodResult },
  { method: 'GET', path: '/3ds/challenge/{token}', handle: showOrder },
  { method: 'POST', path: '/3ds/challenge/{token}', handle: takeCRes },
  { method: 'GET', path: '/3ds/pares/{token}', handle: showOrder },
  { method: 'POST', path: '/3ds/pares/{token}', handle: takePaRes },
  ...acsRoutes,
]
