/**
 * Checks the licences of everything that our packages bring along: what is installed with them, and what is built into them. Fails
 * for a licence that is not listed here, and for what has none. What is built in has to show its licence where it is.
 *
 *     node scripts/licences.ts               checks the installed workspace; build first
 *     node scripts/licences.ts --sbom DIR    also writes a bill of materials (CycloneDX) of each package into DIR
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { dependencyTable } from './dependencies/table.ts'
import { run } from './install/run.ts'
import { type Bill, type Component, problemsIn } from './release/bill.ts'
import { type Manifest, publicPackages, root, type WorkspacePackage } from './workspace.ts'

const { values } = parseArgs({ options: { sbom: { type: 'string' } } })
const folder = resolve(values.sbom ?? mkdtempSync(join(tmpdir(), 'tallystick-sbom-')))
mkdirSync(folder, { recursive: true })
try {
  await writeBills()
  const problems = publicPackages().flatMap((each) => problemsOf(each))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
} finally {
  if (values.sbom === undefined) rmSync(folder, { recursive: true, force: true })
}

async function writeBills(): Promise<void> {
  const ours = publicPackages().map(({ manifest }) => `--filter=${manifest.name}`)
  const format = ['--sbom-format=cyclonedx', '--sbom-spec-version=1.6', '--prod', '--exclude-peers', '--split']
  await run('pnpm', [...ours, 'sbom', ...format, '--out', join(folder, '%s.cdx.json')], root)
}

function problemsOf(each: WorkspacePackage): readonly string[] {
  const { name } = each.manifest
  const file = readdirSync(folder).find((path) => path === `${name.replace('@', '').replace('/', '-')}.cdx.json`)
  if (file === undefined) return [`${name}: there is no bill of materials`]
  const bill: Bill = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const builtIn = builtInto(each)
  const components = [...bill.components, ...builtIn.map(({ component }) => component)]
  writeFileSync(join(folder, file), `${JSON.stringify({ ...bill, components }, undefined, 2)}\n`)
  console.log(`${name}: ${components.length} components, ${builtIn.length} of them built in alone`)
  const built = readdirSync(join(each.path, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.c?js$/.test(path))
    .map((path) => readFileSync(join(each.path, 'dist', path), 'utf8'))
    .join('\n')
  const unshown = builtIn.filter(({ copyright }) => !built.includes(copyright))
  return [
    ...problemsIn(components).map((problem) => `${name}: ${problem}`),
    ...unshown.map(({ component }) => `${name}: ${component.name} is built in without its copyright notice`),
  ]
}

interface BuiltIn {
  readonly component: Component
  /** The line of its licence that names its owner. */
  readonly copyright: string
}

/** What is in a private package of ours that is built into this one. What that leaves to its host is installed with the host. */
function builtInto({ folder: name }: WorkspacePackage): readonly BuiltIn[] {
  return (dependencyTable[name]?.bundled ?? []).flatMap((bundled) => {
    const path = join(root, 'packages', bundled.replace('@tallystick/', ''))
    const { dependencies = {} }: Manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    const packages = dependencyTable[bundled.replace('@tallystick/', '')]?.packages ?? []
    return packages
      .filter((each) => !each.startsWith('@tallystick/') && dependencies[each] === undefined)
      .map((each) => readBuiltIn(join(path, 'node_modules', each)))
  })
}

function readBuiltIn(path: string): BuiltIn {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [copyright = 'a copyright notice'] = /Copyright .+/.exec(readFileSync(join(path, 'LICENSE'), 'utf8')) ?? []
  return {
    component: { type: 'library', name, version, purl, 'bom-ref': purl, licenses: [{ license: { id: license } }] },
    copyright,
  }
}
