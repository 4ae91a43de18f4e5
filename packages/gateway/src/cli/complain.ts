import { type LogOutput, logOutput, standardStream } from './log-output.ts'

let output: LogOutput | undefined

/** Tells the operator on the standard error, unless nobody reads that. Payments go on without it. */
export function complain(message: string): void {
  output ??= logOutput({ ...standardStream(2), tell: () => {}, onLost: () => {}, lostLine: () => '' })
  output.write(`tallystick-gateway: ${message}\n`)
}
