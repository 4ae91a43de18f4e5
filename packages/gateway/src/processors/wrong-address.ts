import { GATEWAY_CODES } from '@tallystick/core'
import { type CallbackAddressIssue, callbackAddressIssue } from '../addresses/callback-address.ts'
import { type Answer, refusal } from '../http/answer.ts'
import type { OrderAddresses } from '../orders/order.ts'

/** What a callback address must be: its scheme and ports (gaps part 6), and nothing of the gateway's own network. */
const ADDRESS_RULES: Readonly<Record<CallbackAddressIssue, string>> = {
  scheme: 'must be an http or https address.',
  userinfo: 'must hold no user name and no password.',
  port: 'must name port 80 or 8080 with http, 443 or 8443 with https.',
  host: 'must name a public host.',
}

type CallbackAddresses = Pick<OrderAddresses, 'serverCallbackUrl' | 'notifyUrl'>

/** An address that could never be called is refused now: nobody would hear of the outcome. */
export function wrongAddress(
  { serverCallbackUrl, notifyUrl }: CallbackAddresses,
  { sandbox }: { readonly sandbox: boolean },
): Answer | undefined {
  return (
    wrong('serverCallbackUrl (server_callback_url)', serverCallbackUrl, sandbox) ??
    wrong('notifyUrl (notify_url)', notifyUrl, sandbox)
  )
}

function wrong(name: string, url: string | undefined, sandbox: boolean): Answer | undefined {
  const issue = url === undefined ? undefined : callbackAddressIssue(url, { sandbox })
  return issue && refusal(GATEWAY_CODES.invalidRequest, `${name} ${ADDRESS_RULES[issue]}`)
}
