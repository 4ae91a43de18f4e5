import type { HelpPart } from './help.ts'
import type { World } from './world.ts'

/** One command of `tallystick`. */
export interface Command {
  readonly name: string
  /** One line. */
  readonly summary: string
  /** All that `--help` shows. */
  readonly help: readonly HelpPart[]
  /** What may stand behind its name: `certify shop`. */
  readonly parts?: readonly Command[]
  /** @returns the exit code: 0 if all is right, 1 if something is wrong with what was looked at */
  readonly run: (args: readonly string[], world: World) => Promise<number>
}
