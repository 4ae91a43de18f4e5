import { execFile, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Language } from '../../../workbench/src/snippets.ts'

const run = promisify(execFile)

/** How the code of a language is run, and what has to be there for it. */
const PROGRAMS: Readonly<
  Record<Exclude<Language, 'TypeScript'>, { readonly file: string; readonly programs: readonly string[] }>
> = {
  curl: { file: 'snippet.sh', programs: ['sh', 'curl', 'openssl', 'awk'] },
  PHP: { file: 'snippet.php', programs: ['php'] },
  Python: { file: 'snippet.py', programs: ['python3', 'openssl'] },
}

export interface Runner {
  /** Resolves with what it printed, when it has ended. */
  run(code: string): Promise<string>
  close(): void
}

/** `undefined`: this machine has not what it needs. */
export async function runnerOf(
  language: Language,
  folder: string,
  keys: Readonly<Record<string, string>>,
): Promise<Runner | undefined> {
  const env = { ...environment(), ...keys }
  if (language === 'TypeScript') return typescriptRunner(folder, env)
  const { file, programs } = PROGRAMS[language]
  for (const program of programs) {
    const isThere = await run('sh', ['-c', `command -v ${program}`]).then(
      () => true,
      () => false,
    )
    if (!isThere) return undefined
  }
  const path = join(folder, file)
  return {
    run: async (code) => {
      writeFileSync(path, code)
      const { stdout, stderr } = await run(programs[0] ?? '', [path], { env }).catch(
        (error: { stdout: string; stderr: string }) => error,
      )
      return stdout + stderr
    },
    close: () => {},
  }
}

/** Without proxies: the gateway is on this machine. */
function environment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/proxy/i.test(name)))
}

/** One process that imports one program after another: to start one takes longer than all else. */
function typescriptRunner(folder: string, env: NodeJS.ProcessEnv): Runner {
  const packages = join(import.meta.dirname, '../../node_modules/@tallystick')
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(packages, join(folder, 'node_modules/@tallystick'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const main = join(folder, 'main.ts')
  writeFileSync(
    main,
    `import { createInterface } from 'node:readline'
for await (const file of createInterface(process.stdin)) {
  await import(file).catch((error) => console.log(error))
  console.log('ended ' + file)
}
`,
  )
  const child = spawn(process.execPath, ['--conditions=@tallystick/source', main], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  let count = 0
  return {
    run: async (code) => {
      const file = join(folder, `snippet-${count++}.ts`)
      writeFileSync(file, code)
      child.stdin.write(`${file}\n`)
      let printed = ''
      for (
        let line = await lines.next();
        line.done !== true && line.value !== `ended ${file}`;
        line = await lines.next()
      )
        printed += `${line.value}\n`
      return printed
    },
    close: () => void child.kill(),
  }
}
