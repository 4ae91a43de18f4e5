import { type Callback, callbackControlTerms, type Secret, serializeForm, writeCallback } from '@tallystick/core'
import { signControl } from '@tallystick/signing'

/** A callback without its control. */
export type CallbackInput = Omit<Callback, 'control' | 'extra'>

/** The query of a callback that the gateway of this key might send. Give a wrong key for a forged one. */
export function signedCallback(callback: CallbackInput, controlKey: string | Secret): string {
  const key = typeof controlKey === 'string' ? controlKey : controlKey.reveal()
  const control = signControl({ terms: callbackControlTerms(callback), key })
  return serializeForm(writeCallback({ ...callback, control }))
}
