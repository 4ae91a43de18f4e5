import { type Callback, callbackControlTerms, type Secret, serializeForm, writeCallback } from '@tallystick/core'
import { signControl } from '@tallystick/signing'

/** A callback without its control. */
export type CallbackInput = Omit<Callback, 'control' | 'extra'>

/**
 * The query of a callback that the gateway of this key might send. Give a wrong key for a forged one.
 *
 * @throws TypeError without a key
 */
export function signedCallback(callback: CallbackInput, controlKey: string | Secret): string {
  const control = signControl({ terms: callbackControlTerms(callback), key: textOf(controlKey) })
  return serializeForm(writeCallback({ ...callback, control }))
}

/** A program without types may have looked for the key where there is none. */
function textOf(controlKey: string | Secret | undefined): string {
  if (typeof controlKey === 'string') return controlKey
  if (controlKey !== undefined) return controlKey.reveal()
  throw new TypeError('signedCallback: the control key must be a text or a Secret, such as gateway.merchant.controlKey')
}
