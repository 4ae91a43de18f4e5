import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'

const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true }
const shared = { ...strict, target: 'es2022', esModuleInterop: true, types: ['node'], skipDefaultLibCheck: true }
/** How a compiler finds a package, and the programs that it reads then: with `node16`, their names say of which kind they are. */
const ways = {
  node10: { options: { module: 'commonjs', moduleResolution: 'node10' }, programs: ['program.ts'] },
  node16: { options: { module: 'node16', moduleResolution: 'node16' }, programs: ['program.cts', 'program.mts'] },
  nodenext: { options: { module: 'nodenext', moduleResolution: 'nodenext' }, programs: ['program.cts', 'program.mts'] },
  bundler: { options: { module: 'esnext', moduleResolution: 'bundler' }, programs: ['program.ts'] },
}
/** The newest one reads the programs of the other projects by `nodenext` and `bundler`. */
const compilers = {
  // There, `nodenext` is `node16`.
  'typescript-5.4': ['node10', 'node16', 'bundler'],
  'typescript-5.9': ['node10', 'nodenext'],
  typescript: ['node16'],
}

for (const [way, { options, programs }] of Object.entries(ways)) {
  mkdirSync(way)
  for (const program of programs) copyFileSync('types-program.ts', `${way}/${program}`)
  writeFileSync(`${way}/tsconfig.json`, JSON.stringify({ compilerOptions: { ...shared, ...options } }))
}
for (const [compiler, read] of Object.entries(compilers)) {
  const args = [`node_modules/${compiler}/bin/tsc`, '--build', '--force', ...read]
  execFileSync(process.execPath, args, { stdio: 'inherit' })
}
