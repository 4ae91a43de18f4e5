import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { DATABASES, type Database, FRAMEWORKS, type Framework } from './choices.ts'

export interface Wanted {
  /** Where it is written: a folder that is empty or not there. */
  readonly folder: string
  readonly framework: Framework
  readonly database: Database
}

/** What the user can mend. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
}

const templates = join(import.meta.dirname, '..', 'templates')

/** Packages that only building and checking need, by their names. */
const DEVELOPMENT = /^@types\/|^typescript$|^@nestjs\/cli$|^@swc\/|webpack|^ts-loader$/

/**
 * Writes a shop.
 *
 * @param version of the packages of tallystick
 * @throws RefusedError if the folder has something in it
 */
export function writeShop({ folder, framework, database }: Wanted, version: string): void {
  requireEmpty(folder)
  mkdirSync(folder, { recursive: true })
  const shop = join(folder, FRAMEWORKS[framework].shop)
  cpSync(join(templates, 'shop'), folder, { recursive: true })
  // What the framework has of its own, such as its tsconfig.json, stays.
  cpSync(join(templates, 'frameworks', framework), folder, { recursive: true })
  // Nest has its own way of putting a shop together.
  if (framework !== 'nest') cpSync(join(templates, 'frameworks', 'shop.ts'), join(shop, 'shop.ts'))
  cpSync(join(templates, 'frameworks', 'databases', `${database}.ts`), join(shop, 'database.ts'))
  // npm leaves a file of this name out of packages.
  const ignored = readFileSync(join(templates, 'gitignore'), 'utf8')
  writeFileSync(join(folder, '.gitignore'), ignored)
  const name = packageName(basename(resolve(folder)))
  writeFileSync(join(folder, 'package.json'), manifestOf(folder, { name, framework, database, version }))
  writeFileSync(join(folder, '.env.example'), settingsOf(database))
  writeFileSync(
    join(folder, 'README.md'),
    readmeOf(readFileSync(join(folder, 'README.md'), 'utf8'), { name, framework, database }),
  )
}

function requireEmpty(folder: string): void {
  if (!existsSync(folder)) return
  const there = readdirSync(folder).filter((name) => name !== '.git')
  if (there.length > 0)
    throw new RefusedError(`${folder} has ${there[0]} in it: name a folder that is empty or not there`)
}

/** A folder may be called `My Shop`, a package may not. */
function packageName(folder: string): string {
  const words = folder
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
  const name = words.join('-')
  return name === '' ? 'my-shop' : name
}

function manifestOf(
  folder: string,
  { name, framework, database, version }: Omit<Wanted, 'folder'> & { readonly name: string; readonly version: string },
): string {
  const { scripts, dependencies }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { dependencies: drivers, types } = DATABASES[database]
  const store = database === 'sqlite' ? {} : { '@tallystick/journal': '*' }
  const all = Object.entries({
    ...dependencies,
    ...store,
    ...drivers,
    ...types,
    '@tallystick/testing': '*',
    typescript: '5.9.3',
  })
  const versioned = all.map(([one, asked]) => [one, asked === '*' ? `^${version}` : asked] as const)
  const isForDevelopment = (one: string) => DEVELOPMENT.test(one) || one === '@tallystick/testing'
  const sorted = (isWanted: (one: string) => boolean) =>
    Object.fromEntries(versioned.filter(([one]) => isWanted(one)).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  const built = scripts['build'] === undefined ? {} : { pretest: 'npm run build', predev: 'npm run build' }
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    description: `A shop on ${FRAMEWORKS[framework].title} that takes payments`,
    type: 'module',
    engines: { node: '^22.19.0 || ^24.11.0 || >=26.0.0' },
    scripts: {
      dev: 'node dev.mjs',
      ...built,
      ...withSettings(scripts),
      test: 'node --test test/*.test.mjs',
      typecheck: 'tsc --noEmit',
    },
    dependencies: sorted((one) => !isForDevelopment(one)),
    devDependencies: sorted(isForDevelopment),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Node reads `.env` if it is told to; frameworks with a server of their own do so anyway. */
function withSettings(scripts: Manifest['scripts']): Manifest['scripts'] {
  const { start = '' } = scripts
  return { ...scripts, start: start.replace(/^node /, 'node --env-file-if-exists=.env ') }
}

function settingsOf(database: Database): string {
  const settings = {
    SHOP_URL: 'https://shop.example.com',
    PORT: '3000',
    TALLYSTICK_BASE_URL: 'https://gate.example.com/paynet',
    TALLYSTICK_LOGIN: '',
    TALLYSTICK_CONTROL_KEY: '',
    TALLYSTICK_ENDPOINT: '',
    ...(database === 'sqlite' ? { SHOP_DATABASE: 'shop.db' } : {}),
    ...DATABASES[database].settings,
  }
  return `# What the gateway gave you, and where your customers and the gateway reach the shop.\n${Object.entries(
    settings,
  )
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')}`
}

function readmeOf(
  text: string,
  { name, framework, database }: Omit<Wanted, 'folder'> & { readonly name: string },
): string {
  const { shop, title } = FRAMEWORKS[framework]
  return text
    .replaceAll('{name}', name)
    .replaceAll('{framework}', title)
    .replaceAll('{database}', DATABASES[database].title.replace(/:.*/, ''))
    .replaceAll('{shop}', shop)
}
