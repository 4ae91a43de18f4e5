import type { Pair } from '../codec/form.ts'
import { encodeModel } from '../codec/reply.ts'
import { valuesOf } from '../codec/wire-names.ts'
import { type Parsed, parseModel } from '../models/parse-model.ts'
import { type Callback, CallbackNotice } from './callback.ts'

/**
 * Reads the parameters of a callback or of a browser return.
 *
 * @throws MalformedFormError when a name is repeated, or `client_orderid` and `merchant_order` differ
 */
export function readCallback(pairs: readonly Pair[]): Parsed<Callback> {
  return parseModel(CallbackNotice, valuesOf(CallbackNotice, pairs))
}

/** The parameters of a callback. The merchant's order id goes under both of its documented names. */
export function writeCallback(callback: Omit<Callback, 'extra'>): readonly Pair[] {
  return encodeModel(CallbackNotice, { ...callback, extra: { merchant_order: callback.clientOrderId } })
}
