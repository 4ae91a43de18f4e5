import { GATEWAY_CODES } from '@tallystick/core'
import type { AddressRules } from '../http/allowed-address.ts'
import { ADDRESS_RULES, callbackAddressIssue, holdsUser } from '../http/callback-address.ts'
import { type Answer, refusal } from '../http/reply.ts'
import type { OrderAddresses } from '../orders/order.ts'

/**
 * Refuses an address that could never be called, since the merchant would not learn the outcome, and one to which the browser
 * would carry a password.
 */
export function wrongAddress(addresses: OrderAddresses, rules: AddressRules): Answer | undefined {
  const { serverCallbackUrl, notifyUrl, redirectUrl, redirectSuccessUrl, redirectFailUrl } = addresses
  return (
    wrongCallback('serverCallbackUrl (server_callback_url)', serverCallbackUrl, rules) ??
    wrongCallback('notifyUrl (notify_url)', notifyUrl, rules) ??
    wrongReturn('redirectUrl (redirect_url)', redirectUrl) ??
    wrongReturn('redirectSuccessUrl (redirect_success_url)', redirectSuccessUrl) ??
    wrongReturn('redirectFailUrl (redirect_fail_url)', redirectFailUrl)
  )
}

function wrongCallback(field: string, url: string | undefined, { sandbox }: AddressRules): Answer | undefined {
  if (url === undefined) return undefined
  const issue = callbackAddressIssue(url, { sandbox })
  return issue === undefined ? undefined : refused(field, ADDRESS_RULES[issue])
}

function wrongReturn(field: string, url: string | undefined): Answer | undefined {
  return url !== undefined && holdsUser(url) ? refused(field, ADDRESS_RULES.userinfo) : undefined
}

function refused(field: string, rule: string): Answer {
  return refusal(GATEWAY_CODES.invalidRequest, `${field} ${rule}.`)
}
