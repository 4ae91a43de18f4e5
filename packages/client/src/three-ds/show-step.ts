import { redirectTo } from '../callbacks/handler.ts'
import { gatewayPage, methodPage, type ReadPageOptions, sendingPage } from './page.ts'
import type { AwaitedStep } from './steps.ts'
import type { ThreeDsStep } from './three-ds.ts'

interface Showing {
  readonly returnUrl: string
  readonly methodWaitSeconds: number
  readonly page: ReadPageOptions
  /** Signed. */
  readonly state: string
}

/** The name under which an address carries the state. */
export const STATE_PARAMETER = 'tallystick_3ds'

/** A step for the browser: a method step only if it has a method URL. */
type ShownStep = Exclude<AwaitedStep, { readonly methodUrl: undefined }>

/** A step as the browser gets it. */
export function showStep(awaited: ShownStep, showing: Showing): ThreeDsStep {
  const { returnUrl, page, state } = showing
  switch (awaited.step) {
    case 'method': {
      const frame = { action: awaited.methodUrl, fields: hiddenFieldsOfMethod(awaited.threeDsServerTransId, returnUrl) }
      const { origin } = new URL(returnUrl)
      const waitMs = showing.methodWaitSeconds * 1000
      return { step: 'method', page: methodPage({ frame, onward: withState(returnUrl, state), waitMs, origin }, page) }
    }
    case 'challenge': {
      const fields = { creq: awaited.creq, threeDSSessionData: state }
      return { step: 'challenge', page: sendingPage({ action: awaited.acsUrl, fields }, page) }
    }
    case 'pareq': {
      const fields = { PaReq: awaited.paReq, MD: awaited.md, TermUrl: withState(returnUrl, state) }
      return { step: 'pareq', page: sendingPage({ action: awaited.acsUrl, fields }, page) }
    }
    case 'redirect': {
      const { url, html = '' } = awaited
      return { step: 'redirect', url, page: url === undefined ? gatewayPage(html) : redirectTo(url) }
    }
  }
}

function withState(address: string, state: string): string {
  const url = new URL(address)
  url.searchParams.set(STATE_PARAMETER, state)
  return url.href
}

/** What the hidden frame posts to the method URL (EMV 3-D Secure; gaps part 8): JSON in base64url. */
function hiddenFieldsOfMethod(threeDSServerTransID: string, threeDSMethodNotificationURL: string) {
  const data = JSON.stringify({ threeDSServerTransID, threeDSMethodNotificationURL })
  return { threeDSMethodData: Buffer.from(data).toString('base64url') }
}
