import {
  type Callback,
  callbackControlTerms,
  checkOptions,
  kind,
  type Secret,
  serializeForm,
  writeCallback,
} from '@tallystick/core'
import { signControl } from '@tallystick/signing'

/** A callback without its control. */
export type CallbackInput = Omit<Callback, 'control' | 'extra'>

const CALLBACK = kind.required({ ...kind.object, wanted: 'a callback, with clientOrderId, orderId and status' })

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
