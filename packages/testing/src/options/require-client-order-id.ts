/**
 * A program without types may leave it out. Then a gateway would show any order, and the test would be about that one.
 *
 * @throws TypeError
 */
export function requireClientOrderId(where: string, clientOrderId: string): void {
  if (typeof clientOrderId === 'string' && clientOrderId !== '') return
  const given = clientOrderId === '' ? 'an empty one' : String(clientOrderId)
  throw new TypeError(`${where}: the client order id must be a text, not ${given}`)
}
