import { kind } from '@tallystick/core'

/** @throws TypeError naming the option, if no timer can wait that long */
export function milliseconds(where: string, option: string, value: number): number {
  const { isRight, wanted } = kind.milliseconds
  if (isRight(value)) return value
  throw new TypeError(`${where}: ${option} must be ${wanted}`)
}
