import { callbackControlTerms } from '@tallystick/core'
import type { CallbackTrial } from '@tallystick/core/internal'
import { signControl } from '@tallystick/signing'

export const CALLBACK_TRIALS = [
  'forged',
  'shifted',
  'other-amount',
  'twice',
] as const satisfies readonly CallbackTrial[]

/** The addresses to call, made of the one that a callback has. */
export function trialUrls(url: string, trial: CallbackTrial): readonly string[] {
  const value = (name: string) => new URLSearchParams(parametersIn(url).join('&')).getAll(name).at(-1) ?? ''
  const [orderId, clientOrderId] = [value('orderid'), value('client_orderid')]
  switch (trial) {
    case 'forged': {
      const terms = callbackControlTerms({ status: value('status'), orderId, clientOrderId })
      return [withValues(url, { control: signControl({ terms, key: 'not the key of the merchant' }) })]
    }
    case 'shifted': {
      const moved = orderId.slice(-1) + clientOrderId
      return [withValues(url, { orderid: orderId.slice(0, -1), client_orderid: moved, merchant_order: moved })]
    }
    case 'other-amount':
      return [withValues(url, { amount: `1${value('amount')}` })]
    case 'twice':
      return [url, url]
  }
}

/** The merchant's own query may hold a further question mark, and may have parameters of the same names before those of the callback. */
function parametersIn(url: string): readonly string[] {
  return url.slice(url.indexOf('?') + 1).split('&')
}

/** Replaces the last parameter of each name, if there is one. */
function withValues(url: string, values: Readonly<Record<string, string>>): string {
  const parameters = [...parametersIn(url)]
  for (const [name, value] of Object.entries(values)) {
    const at = parameters.findLastIndex((parameter) => parameter.startsWith(`${name}=`))
    if (at >= 0) parameters[at] = `${name}=${encodeURIComponent(value)}`
  }
  return `${url.slice(0, url.indexOf('?') + 1)}${parameters.join('&')}`
}
