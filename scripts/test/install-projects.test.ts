import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projects } from '../install/projects.ts'
import { findFences, sectionOf } from '../readme/fences.ts'
import { publicPackages, root } from '../workspace.ts'

/** Installed with the client, and with every other package except signing. */
const COMES_ALONG = '@tallystick/core'

test.each(publicPackages().map(({ manifest }) => manifest.name))('%s is installed as its users install it', (name) => {
  expect(projects.some(({ asked }) => asked.includes(name))).toBe(name !== COMES_ALONG)
})

test.each(['@tallystick/express-adapter', '@tallystick/nest-module'])(
  '%s is installed by both managers, and without a gateway',
  (name) => {
    const installed = projects.filter(({ asked }) => asked.includes(name))
    expect(new Set(installed.map(({ manager }) => manager))).toEqual(new Set(['npm', 'pnpm']))
    expect(installed.some(({ unwanted }) => unwanted.includes('@tallystick/gateway'))).toBe(true)
  },
)

test('[F-C4] jest runs a spec in an app of both versions of `nest new`, with the configuration that the documentation shows', () => {
  const apps = projects.filter(({ program }) => program === 'nest-new.mjs')
  expect(apps.map(({ others }) => others['@nestjs/core']?.split('.')[0])).toEqual(['11', '12'])
  expect(apps.map(({ others }) => others['ts-jest'])).toEqual(['29.4.15', '29.4.15'])
  const recipe = JSON.parse(`{${sampleOf('nest-new.mjs', 'json')}}`)
  expect(Object.keys(recipe)).toEqual(['transform', 'transformIgnorePatterns'])
})

test('[F-C15] the app of the documentation is bundled by every command that it shows, and pays', () => {
  expect(sampleOf('bundlers.mjs', 'ts')).toContain("journal.pay('invoice 77', 'sale', {")
  const commands = sampleOf('bundlers.mjs', 'sh').replaceAll('\\\n', '').split('\n')
  const formats = commands.map((command) => /--format=\w+|^npx webpack/.exec(command)?.[0])
  expect(formats).toEqual(['--format=esm', '--format=esm', '--format=cjs', 'npx webpack'])
})

/** The first sample of the language that the program works with. */
function sampleOf(wanted: string, language: string): string {
  const samples = projects.find(({ program }) => program === wanted)?.samples
  const section = sectionOf(readFileSync(join(root, samples?.page ?? ''), 'utf8'), samples?.heading ?? '')
  return findFences(section, language)[0]?.code ?? ''
}
