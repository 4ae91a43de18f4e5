import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projects } from '../install/projects.ts'
import { publicPackages, root } from '../workspace.ts'

/** Installed with the client, and with every other package except signing. */
const COMES_ALONG = '@tallystick/core'

test.each(publicPackages().map(({ manifest }) => manifest.name))('%s is installed as its users install it', (name) => {
  expect(projects.some(({ asked }) => asked.includes(name))).toBe(name !== COMES_ALONG)
})

test.each(['@tallystick/express-adapter', '@tallystick/nest-module'])(
  '%s is installed alone by both managers',
  (name) => {
    const alone = projects.filter(({ asked }) => asked.length === 1 && asked[0] === name)
    expect(alone.map(({ manager }) => manager)).toEqual(['npm', 'pnpm'])
  },
)

test('@tallystick/nest-module is also installed into the previous major version of Nest', () => {
  const versions = projects
    .filter(({ asked }) => asked.includes('@tallystick/nest-module'))
    .map(({ others }) => others['@nestjs/core']?.split('.')[0])
  expect(versions).toEqual(['12', '12', '11'])
})

const programs = new Set(projects.flatMap(({ program, commonJs = program }) => [program, commonJs]))

test.each([...programs])('%s is short', (program) => {
  const text = readFileSync(join(root, 'scripts', 'install', 'programs', program), 'utf8')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(22)
})
