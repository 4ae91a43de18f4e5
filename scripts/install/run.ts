/** Runs a program to its end and gives what it printed. */
import { spawnSync } from 'node:child_process'

/** @throws Error with the output, when it does not end with 0 */
export function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: 180_000,
    shell: process.platform === 'win32',
  })
  if (status === 0) return stdout
  throw new Error(`\`${program} ${args.join(' ')}\` failed\n${stdout}${stderr}${error?.message ?? ''}`.trimEnd())
}
