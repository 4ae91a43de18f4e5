import { type FormLimits, type Pair, parseOpenForm } from '../codec/form.ts'
import { encodeModel } from '../codec/reply.ts'
import { decidesIn, openValuesOf } from '../codec/wire-names.ts'
import { type Parsed, parseModel } from '../models/parse-model.ts'
import { type Callback, CallbackNotice } from './callback.ts'

/**
 * Reads the query or body of a callback or of a browser return. What decides must decode; all else, such as a name or a
 * parameter of the shop's own, is kept as it can be.
 *
 * @throws MalformedFormError
 */
export function parseCallbackForm(text: string, limits: FormLimits): readonly Pair[] {
  return parseOpenForm(text, limits, callbackDecides)
}

/** Whether a parameter of a callback decides anything, so that it must come once and decode. */
export function callbackDecides(wireName: string): boolean {
  return decidesIn(CallbackNotice, wireName)
}

/**
 * Reads the parameters of a callback or of a browser return. Of a parameter that decides nothing the first value counts.
 *
 * @throws MalformedFormError when one that decides is repeated, or `client_orderid` and `merchant_order` differ
 */
export function readCallback(pairs: readonly Pair[]): Parsed<Callback> {
  return parseModel(CallbackNotice, openValuesOf(CallbackNotice, pairs))
}

/** The parameters of a callback. The merchant's order id goes under both of its documented names. */
export function writeCallback(callback: Omit<Callback, 'extra'>): readonly Pair[] {
  return encodeModel(CallbackNotice, { ...callback, extra: { merchant_order: callback.clientOrderId } })
}
