import { UsageError } from '../src/arguments/parse.ts'
import { run } from '../src/commands.ts'
import { system } from '../src/runtime/system.ts'
import type { World } from '../src/world.ts'

/** What a command did. */
export interface Tried {
  readonly code: number
  readonly printed: string
  readonly warned: readonly string[]
}

export const KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

/** 2030-01-01. */
export const NOW = 1_893_456_000

/** Runs a command with these files and none other. Requests go out as they do from the command itself. */
export async function tryCommand(
  args: readonly string[],
  files: Readonly<Record<string, string>> = {},
  changes: Partial<World> = {},
): Promise<Tried> {
  const printed: string[] = []
  const warned: string[] = []
  const known: Readonly<Record<string, string>> = { 'control.key': `${KEY}\n`, ...files }
  const world: World = {
    ...system,
    environment: {},
    secrets: new Set(),
    read: (file) => {
      const text = known[file]
      if (text === undefined) throw new UsageError(`${file} cannot be read (ENOENT)`)
      return text
    },
    print: (text) => printed.push(text),
    paint: (text) => printed.push(text),
    isTerminal: false,
    isColoured: false,
    warn: (text) => warned.push(text),
    columns: undefined,
    now: () => NOW * 1000,
    nonce: () => 'a-nonce',
    ...changes,
  }
  const code = await run(args, '1.2.3', world)
  return { code, printed: printed.join(''), warned }
}
