import { operationKeys, suggestName } from '@tallystick/core'

/**
 * A program without types may name anything, and nothing would ever meet an answer or a fault for an unknown operation.
 *
 * @throws TypeError that names the operation which may have been meant
 */
export function requireOperation(where: string, operation: string): void {
  if (operationKeys.some((key) => key === operation)) return
  throw new TypeError(`${where}: there is no operation ${operation}; ${suggestName(String(operation), operationKeys)}`)
}
