import { kind } from '@tallystick/core'

/** @throws TypeError naming the option, if it is no time that a timer can wait */
export function milliseconds(where: string, option: string, value: number): number {
  const { isRight, wanted } = kind.milliseconds
  if (isRight(value)) return value
  throw new TypeError(`${where}: ${option} must be ${wanted}`)
}
