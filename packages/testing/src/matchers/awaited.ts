/**
 * A forgotten `await` would be judged as something without a status or an order, and `not` would turn that into a test that
 * passes.
 *
 * @throws TypeError for a promise
 */
export function awaited<Value>(value: Value): Value {
  if (value instanceof Promise) throw new TypeError('This is a Promise: await it')
  return value
}
