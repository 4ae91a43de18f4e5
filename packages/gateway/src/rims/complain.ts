import { writeSync } from 'node:fs'

/** To a person, if there is one: whoever has closed the standard error as well is not told. */
export function complain(message: string): void {
  try {
    writeSync(2, `tallystick-gateway: ${message}\n`)
  } catch {
    // Payments go on without it.
  }
}
