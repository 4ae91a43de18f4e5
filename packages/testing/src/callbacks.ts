import type { Handler } from '@tallystick/client'
import { type Callback, callbackControlTerms, type RequestInput, type Secret, serializeForm } from '@tallystick/core'
import { checkOptions, validator, writeCallback } from '@tallystick/core/internal'
import type { SendCallback } from '@tallystick/gateway'
import { signControl } from '@tallystick/signing'

/** A callback without its control. */
export type CallbackInput = Omit<Callback, 'control' | 'extra'>

const CALLBACK = validator.required({
  ...validator.object,
  wanted: 'a callback, with clientOrderId, orderId and status',
})

/**
 * The query of a callback as a gateway with this key might send it. Give a wrong key for a forged one.
 *
 * @throws TypeError without a callback or a key
 */
export function signedCallback(callback: CallbackInput, controlKey: string | Secret): string {
  checkOptions('signedCallback', { callback }, { callback: CALLBACK })
  const control = signControl({ terms: callbackControlTerms(callback), key: textOf(controlKey) })
  return serializeForm(writeCallback({ ...callback, control }))
}

/** A program without types may have read the key from the wrong object. */
function textOf(controlKey: string | Secret | undefined): string {
  if (typeof controlKey === 'string') return controlKey
  if (controlKey !== undefined) return controlKey.reveal()
  throw new TypeError('signedCallback: the control key must be a text or a Secret, such as gateway.merchant.controlKey')
}

/**
 * Passes the callbacks of a gateway straight to a handler of the shop, without a socket:
 * `startGateway({ sendCallback: callbacksTo((inbound) => handler(inbound)) })`. If it throws, the answer is that of an app.
 */
export function callbacksTo(handler: Handler): SendCallback {
  return async (url) => {
    try {
      const { status } = await handler({ method: 'GET', query: new URL(url).search.slice(1) })
      return { status }
    } catch (error) {
      return { status: statusOf(error) }
    }
  }
}

/** Frameworks read the status from the error that is thrown: a `HandlerError` has one. */
function statusOf(error: unknown): number {
  return (error as { readonly status?: number } | undefined)?.status ?? 500
}

/**
 * The fields of a sale about the customer's browser, for a merchant who leads the customer through 3DS: the status then
 * shows each step, and the merchant uploads the results.
 */
export const serverToServer = {
  redirectUrl: 'https://shop.example.com/return',
  browserInfo: true,
  browserAcceptHeader: 'text/html',
  browserUserAgent: 'Mozilla/5.0',
  browserLanguage: 'en-GB',
  browserJavascriptEnabled: true,
  browserJavaEnabled: false,
  browserColorDepth: '24',
  browserScreenWidth: '1280',
  browserScreenHeight: '800',
  browserTimeZone: '-120',
} as const satisfies Partial<RequestInput<'sale'>>
