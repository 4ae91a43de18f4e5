import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { peerProjects, projects } from '../install/projects.ts'
import { findFences, sectionOf } from '../readme/fences.ts'
import { publicPackages, root } from '../workspace.ts'

const textOfCreate = readFileSync(join(root, 'scripts/install/programs/create.mjs'), 'utf8')

test.each(publicPackages().map(({ manifest }) => manifest.name))('%s is installed as its users install it', (name) => {
  expect(projects.some(({ asked }) => asked.includes(name))).toBe(true)
})

test.each(['@tallystick/express-adapter', '@tallystick/fastify-plugin', '@tallystick/nest-module'])(
  '%s is installed by both managers, and without a gateway',
  (name) => {
    const installed = projects.filter(({ asked }) => asked.includes(name))
    expect(new Set(installed.map(({ manager }) => manager))).toEqual(new Set(['npm', 'pnpm']))
    expect(installed.some(({ unwanted }) => unwanted.includes('@tallystick/gateway'))).toBe(true)
  },
)

test('[F-C4] jest runs a spec with payments in an app of both versions of `nest new`, with nothing set', () => {
  const apps = projects.filter(({ program }) => program === 'nest-new.mjs')
  for (const wanted of ['@nestjs/core', '@nestjs/schematics'])
    expect(apps.map(({ others }) => others[wanted]?.split('.')[0])).toEqual(['11', '12'])
  expect(apps.map(({ others }) => others['ts-jest'])).toEqual(['29.4.15', '29.4.15'])
  const written = readFileSync(join(root, 'scripts/install/programs/nest-new.mjs'), 'utf8')
  expect(written).not.toMatch(/transform|moduleNameMapper|NODE_OPTIONS|\bjest:/)
})

test('[F-C26] the declarations are read by the oldest TypeScript that is promised, in each way of finding a module', () => {
  const { others = {} } = projects.find(({ program }) => program === 'types.mjs') ?? {}
  expect(others['typescript-5.4']).toBe('npm:typescript@5.4.5')
})

test('[F-C15] the app of the documentation is bundled by every command that it shows, and pays', () => {
  expect(sampleOf('bundlers.mjs', 'ts')).toContain("journal.pay('invoice 77', 'sale', {")
  const commands = sampleOf('bundlers.mjs', 'sh').replaceAll('\\\n', '').split('\n')
  const formats = commands.map((command) => /--format=\w+|^npx webpack/.exec(command)?.[0])
  expect(formats).toEqual(['--format=esm', '--format=esm', '--format=cjs', 'npx webpack'])
})

test('every shop of `examples/frameworks` is installed, started and paid at, and the one on Nest by SWC and by webpack', () => {
  const shops = projects.flatMap(({ program, example }) => (program === 'framework.mjs' && example ? [example] : []))
  const entries = readdirSync(join(root, 'examples/frameworks'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  // These two are written by `npm create tallystick`, and paid at by their own test.
  const created = Array.from(textOfCreate.matchAll(/\['(\w+)', (?:'|MARIADB)/g), ([, name]) => name)
  const paidAt = [...shops.map(({ folder }) => folder), ...created]
  expect(new Set(paidAt)).toEqual(new Set(folders.filter((folder) => folder !== 'databases')))
  const builds = shops.filter(({ folder }) => folder === 'nest').map(({ scripts }) => scripts['build'])
  expect(builds).toEqual(['nest build -b swc', 'nest build -b webpack --webpackPath webpack.config.cjs'])
})

test('the journal books through the oldest version of each database library in its ranges', () => {
  const { others } = projects.find(({ program }) => program === 'journal-libraries.ts') ?? {}
  expect(others).toMatchObject({
    '@mikro-orm/core': '7.0.2',
    'drizzle-orm': '0.44.0',
    knex: '3.0.1',
    mysql2: '3.11.0',
    pg: '8.23.0',
    postgres: '3.4.0',
    sequelize: '6.37.0',
    typeorm: '0.3.20',
  })
})

/** The first sample of the language that the program works with. */
function sampleOf(wanted: string, language: string): string {
  const samples = projects.find(({ program }) => program === wanted)?.samples
  const section = sectionOf(readFileSync(join(root, samples?.page ?? ''), 'utf8'), samples?.heading ?? '')
  return findFences(section, language)[0]?.code ?? ''
}

test('both ends of every range of peers are installed', () => {
  const all = [...projects, ...peerProjects]
  const ranges = publicPackages().flatMap(({ manifest }) =>
    Object.entries(manifest.peerDependencies ?? {}).map(([peer, range]) => ({ name: manifest.name, peer, range })),
  )
  expect(ranges.length).toBeGreaterThan(15)
  for (const { name, peer, range } of ranges) {
    const installed = all.filter(({ asked }) => asked.includes(name)).map(({ others }) => others[peer])
    const lowest = /^(?:\^|>=)(\S+)/.exec(range)?.[1]
    expect([name, peer, installed]).toEqual([name, peer, expect.arrayContaining([lowest, range])])
  }
})
