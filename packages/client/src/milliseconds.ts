/** The longest time that a timer of Node keeps. It fires at once for a longer one. */
const LONGEST = 2_147_483_647

/** @throws TypeError naming the option, when it is no time that a timer can keep */
export function milliseconds(option: string, value: number): number {
  if (typeof value === 'number' && value >= 1 && value <= LONGEST) return value
  throw new TypeError(`${option} must be a number of milliseconds from 1 to ${LONGEST}`)
}
