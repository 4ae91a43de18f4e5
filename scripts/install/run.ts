/** Runs a program to its end and gives what it printed. */
import { execFile } from 'node:child_process'

/** @throws Error with the output, if the exit code is not 0 */
export function run(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
  timeout = 300_000,
): Promise<string> {
  const env = { ...process.env, ...environment }
  const options = { cwd, env, timeout, maxBuffer: 2 ** 26, shell: process.platform === 'win32' }
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      const reason = error.code === undefined ? error.message : ''
      reject(new Error(`\`${program} ${args.join(' ')}\` failed\n${stdout}${stderr}${reason}`.trimEnd()))
    })
    child.stdin?.end()
  })
}
