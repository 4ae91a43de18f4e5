/** Creates a folder like a user's project, with the built packages and their frameworks in node_modules. */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publicPackages } from '../workspace.ts'

/** Strict, and without the source condition, so that the compiler reads the published declarations. */
const tsconfig = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    moduleDetection: 'force',
    experimentalDecorators: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  },
}

/** Removes the folder and creates it again. */
export function createSampleFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  for (const { manifest, path } of publicPackages()) {
    link(path, join(folder, 'node_modules', manifest.name))
    const others = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies }
    for (const name of Object.keys(others)) {
      link(join(path, 'node_modules', name), join(folder, 'node_modules', name))
    }
  }
}

function link(target: string, path: string): void {
  if (existsSync(path) || !existsSync(target)) return
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'junction')
}
