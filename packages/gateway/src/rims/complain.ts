import { writeSync } from 'node:fs'

/** Tells the operator on the standard error, unless that is closed as well. */
export function complain(message: string): void {
  try {
    writeSync(2, `tallystick-gateway: ${message}\n`)
  } catch {
    // Payments go on without it.
  }
}
