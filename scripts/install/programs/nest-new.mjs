import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** The configuration of jest that both versions of `nest new` write for a CommonJS app. */
const generated = {
  moduleFileExtensions: ['js', 'json', 'ts'],
  testRegex: '.*\\.spec\\.ts$',
  transform: { '^.+\\.(t|j)s$': 'ts-jest' },
  testEnvironment: 'node',
}
const compiler = { module: 'nodenext', target: 'ES2023', isolatedModules: true, strict: true, esModuleInterop: true }
const decorators = { emitDecoratorMetadata: true, experimentalDecorators: true, types: ['node', 'jest'] }
const isOlder = JSON.parse(readFileSync('node_modules/@nestjs/core/package.json', 'utf8')).version.startsWith('11.')
const jest = isOlder ? { ...generated, ...JSON.parse(`{${readFileSync('recipe.json', 'utf8')}}`) } : generated
writeFileSync('package.json', JSON.stringify({ private: true, jest }))
writeFileSync('tsconfig.json', JSON.stringify({ compilerOptions: { ...compiler, ...decorators } }))
const flags = isOlder ? [] : ['--experimental-vm-modules']
// Nest 12 is ES modules alone, which jest can require from Node 24.9 on: on Node 22 not even the spec of `nest new` runs.
if (isOlder || !process.version.startsWith('v22.'))
  execFileSync(process.execPath, [...flags, 'node_modules/jest/bin/jest.js'], { stdio: 'pipe' })
