import type { Kind } from '@tallystick/core'

/** @throws TypeError naming the option, if its value is not of this kind */
export function requireKind(option: string, value: unknown, { isRight, wanted }: Kind): void {
  if (!isRight(value)) throw new TypeError(`${option} must be ${wanted}`)
}
