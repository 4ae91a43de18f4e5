import { submitForm } from './pages/form/submit-form.ts'
import type { PageRoute } from './pages/page-route.ts'
import { showOrder } from './pages/show-order.ts'
import { takeCRes, takeMethodResult, takePaRes } from './pages/three-ds/results.ts'
import { acsRoutes } from './simulated-acs/pages.ts'

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
