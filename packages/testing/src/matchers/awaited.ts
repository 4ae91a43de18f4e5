/**
 * Finds a forgotten `await`: a promise has no status and is no order, and with `not` that would make the test pass.
 *
 * @throws TypeError for a promise
 */
export function awaited<Value>(value: Value): Value {
  if (value instanceof Promise) throw new TypeError('This is a Promise: await it')
  return value
}
