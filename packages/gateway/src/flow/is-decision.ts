import { STATUSES } from '@tallystick/core'
import type { Decision } from '../acquirer/acquirer.ts'
import type { AuthenticationStep } from '../orders/order.ts'

/** Whether it is one: an acquirer of plain JavaScript may give anything. */
export function isDecision(given: Partial<Decision> | undefined): given is Decision {
  if (!STATUSES.some((status) => status === given?.status)) return false
  return given?.status !== 'processing' || isStep(given.awaits)
}

/** What each step has to say, all in texts; of a method step the URL may be left out. */
const SAID: Readonly<Record<AuthenticationStep, readonly string[]>> = {
  method: ['threeDsServerTransId'],
  challenge: ['acsUrl', 'creq', 'threeDsSessionData'],
  pareq: ['acsUrl', 'paReq', 'md'],
}

/** Of another one neither a page nor a status could show what the customer has to do. */
function isStep(awaits: unknown): boolean {
  const { step, methodUrl = '', ...said }: Readonly<Record<string, unknown>> = { ...Object(awaits) }
  const names = Object.entries(SAID).find(([name]) => name === step)?.[1]
  return typeof methodUrl === 'string' && names?.every((name) => typeof said[name] === 'string') === true
}
