import type { Called } from '@tallystick/gateway'

/** What a shop that is wired wrongly answers, and what to look at. Other answers may well be what a test is about. */
const ADVICE: Readonly<Record<string, string>> = {
  301: 'a gateway follows no redirect: give the address that it leads to',
  302: 'a gateway follows no redirect: does the route want somebody to be logged in?',
  307: 'a gateway follows no redirect: give the address that it leads to',
  308: 'a gateway follows no redirect: give the address that it leads to',
  400: 'does the route get the query as it came?',
  401: 'a gateway has no login at the shop: leave the route open, its control is verified',
  403: 'has the shop the controlKey of gateway.merchant, and does nothing else guard the route?',
  404: 'is the callback route mounted at this path?',
  405: 'callbacks come by GET: does the route take it?',
  ECONNREFUSED: 'does the shop listen there?',
}

/** Warns of callbacks that a shop refuses: nothing else of them is seen in a test, which waits for what never comes. */
export function warnOfRefused(): (called: Called) => void {
  const told = new Set<string>()
  return ({ address, answer, orderId }) => {
    const advice = ADVICE[answer]
    const what = `${answer} ${address}`
    if (advice === undefined || told.has(what)) return
    told.add(what)
    const refused = `The callback of order ${orderId} to ${address} was answered ${answer}: ${advice}`
    process.emitWarning(`${refused} Give startGateway an onCallback to hear of this yourself.`, {
      type: 'TestGatewayWarning',
      code: 'CALLBACK_REFUSED',
    })
  }
}
