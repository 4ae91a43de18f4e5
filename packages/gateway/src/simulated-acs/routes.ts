import type { PageRoute } from '../pages/page-route.ts'
import { answerChallenge, askChallenge } from './challenge-page.ts'
import { answerMethod } from './method-page.ts'
import { answerPaReq, askPaReq } from './pareq-page.ts'

/** The simulated access control server: what an issuer would serve. It exists only if the acquirer is the simulator. */
export const acsRoutes: readonly PageRoute[] = [
  { method: 'POST', path: '/acs/method/{token}', handle: answerMethod },
  { method: 'POST', path: '/acs/challenge/{token}', handle: askChallenge },
  { method: 'POST', path: '/acs/challenge/{token}/answer', handle: answerChallenge },
  { method: 'POST', path: '/acs/pareq/{token}', handle: askPaReq },
  { method: 'POST', path: '/acs/pareq/{token}/answer', handle: answerPaReq },
]
