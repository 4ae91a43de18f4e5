/**
 * Tries a release without releasing anything. Twice, in two fresh clones of what is committed: raises the versions by the changesets,
 * builds and packs. The archives have to be the same byte for byte. They are published to a registry on this machine, by the command
 * of the real release. From there a shop on each framework is made with `npm create tallystick`, as its user would, and its test pays.
 * Also checks the changelogs and licences, and writes the bills of materials.
 *
 *     node scripts/release-dry.ts                       needs about ten minutes
 *     node scripts/release-dry.ts --versioned           the versions are raised already, as in the commit of a release
 *     node scripts/release-dry.ts --frameworks nest     shops on these frameworks alone
 *     node scripts/release-dry.ts --keep DIR            in this folder, which is not removed
 */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { run } from './install/run.ts'
import { type LocalRegistry, localRegistry } from './release/local-registry.ts'
import { root } from './workspace.ts'

/** One for each adapter, and one on `fetch`. Next is `fetch` as well, and its build takes as long as all others. */
const FRAMEWORKS = ['express', 'fastify', 'nest', 'hono']

const INSTALL_MS = 900_000

const { values } = parseArgs({
  options: { versioned: { type: 'boolean' }, frameworks: { type: 'string' }, keep: { type: 'string' } },
})
const started = performance.now()
const folder = resolve(values.keep ?? mkdtempSync(join(tmpdir(), 'tallystick-release-')))
mkdirSync(folder, { recursive: true })
try {
  const registry = await localRegistry(join(folder, 'registry'))
  try {
    await release(registry, values.frameworks?.split(',') ?? FRAMEWORKS)
  } finally {
    await registry.close()
  }
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true })
}

async function release(registry: LocalRegistry, frameworks: readonly string[]): Promise<void> {
  // The second path is longer, and its commands run at another time.
  const first = await packed(join(folder, 'a'), registry)
  const second = await packed(join(folder, 'another', 'clone'), registry)
  requireSame(digestsIn(first.archives), digestsIn(second.archives))

  const version = requireChangelogs(first.clone)
  say(
    `licences and bills of materials: ${lastLineOf(await run(process.execPath, ['scripts/licences.ts', '--sbom', join(folder, 'sbom')], first.clone))}`,
  )
  await run(
    'pnpm',
    ['exec', 'changeset', 'publish', '--from-pack-dir', first.archives],
    first.clone,
    registry.environment,
  )
  say(`published ${version} to ${registry.url}`)
  const integrities = integritiesIn(first.archives)
  for (const framework of frameworks) await payAt({ framework, version, integrities }, registry)
}

interface PackedClone {
  readonly clone: string
  readonly archives: string
}

async function packed(clone: string, { environment }: LocalRegistry): Promise<PackedClone> {
  const archives = `${clone}-packed`
  await run('git', ['clone', '--quiet', root, clone], folder)
  await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], clone)
  if (values.versioned !== true) await run('pnpm', ['exec', 'changeset', 'version'], clone)
  await run('pnpm', ['build'], clone)
  await run('pnpm', ['exec', 'changeset', 'pack', '--out-dir', archives], clone, environment)
  say(`built and packed ${Object.keys(digestsIn(archives)).length} packages in ${clone}`)
  return { clone, archives }
}

/** By the name of the archive. */
type Digests = Readonly<Record<string, string>>

function digestsIn(archives: string): Digests {
  const packages = join(archives, 'packages')
  const digest = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(packages, file)))
      .digest('hex')
  return Object.fromEntries(
    readdirSync(packages)
      .sort()
      .map((file) => [file, digest(file)]),
  )
}

/** As npm writes them into a lock file. */
function integritiesIn(archives: string): ReadonlySet<string> {
  const packages = join(archives, 'packages')
  const digest = (file: string) =>
    createHash('sha512')
      .update(readFileSync(join(packages, file)))
      .digest('base64')
  return new Set(readdirSync(packages).map((file) => `sha512-${digest(file)}`))
}

function requireSame(first: Digests, second: Digests): void {
  const names = new Set([...Object.keys(first), ...Object.keys(second)])
  const different = [...names].filter((name) => first[name] !== second[name])
  if (names.size === 0 || different.length > 0) throw new Error(`these archives differ: ${different.join(', ')}`)
  say(`${names.size} archives are the same, byte for byte`)
}

/** Each package has the same version, and a changelog that begins with it. Returns the version. */
function requireChangelogs(clone: string): string {
  const released = readdirSync(join(clone, 'packages')).flatMap((name) => {
    const path = join(clone, 'packages', name)
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    if (manifest.private === true) return []
    const [, latest] = /^## (\S+)$/m.exec(readFileSync(join(path, 'CHANGELOG.md'), 'utf8')) ?? []
    if (latest !== manifest.version) throw new Error(`the changelog of ${manifest.name} begins with ${latest}`)
    return [latest]
  })
  const versions = [...new Set(released)]
  if (versions.length !== 1 || versions[0] === undefined)
    throw new Error(`there are several versions: ${versions.join(', ')}`)
  say(`${released.length} changelogs begin with ${versions[0]}`)
  return versions[0]
}

interface Paid {
  readonly framework: string
  readonly version: string
  /** Of what was packed. */
  readonly integrities: ReadonlySet<string>
}

/** As who knows nothing but the name: `npm create`, an install, and the test that it was written with, in which it is paid at. */
async function payAt({ framework, version, integrities }: Paid, { url, environment }: LocalRegistry): Promise<void> {
  const shop = join(folder, `${framework}-shop`)
  const options = ['--framework', framework, '--database', 'sqlite']
  await run('npm', ['create', '--yes', `tallystick@${version}`, shop, '--', ...options], folder, environment)
  // Ours alone are from here: through it everything else would take minutes, and is the same.
  const scope = `--@tallystick:registry=${url}`
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', scope], shop, {}, INSTALL_MS)
  const { packages } = JSON.parse(readFileSync(join(shop, 'package-lock.json'), 'utf8'))
  const ours = Object.entries<{ readonly integrity?: string }>(packages).filter(([path]) =>
    path.includes('@tallystick/'),
  )
  const others = ours.filter(([, { integrity = '' }]) => !integrities.has(integrity))
  if (ours.length === 0 || others.length > 0) throw new Error(`not what was packed: ${JSON.stringify(others)}`)
  await run('npm', ['run', 'typecheck'], shop)
  await run('npm', ['test'], shop)
  say(`a shop on ${framework} was made, installed and paid at`)
}

function lastLineOf(printed: string): string {
  return printed.trimEnd().split('\n').at(-1) ?? ''
}

function say(text: string): void {
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}`)
}
