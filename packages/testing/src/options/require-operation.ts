import { operationKeys } from '@tallystick/core'
import { suggestion } from './nearest-name.ts'

/**
 * A program without types may name anything, and an answer or a fault for what does not exist would be met by nobody.
 *
 * @throws TypeError that names the operation which may have been meant
 */
export function requireOperation(where: string, operation: string): void {
  if (operationKeys.some((key) => key === operation)) return
  throw new TypeError(`${where}: there is no operation ${operation}; ${suggestion(String(operation), operationKeys)}`)
}
