/** The projects: what each installs, and what must be installed with it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, publicPackages, root } from '../workspace.ts'

const core = '@tallystick/core'
const signing = '@tallystick/signing'
const client = '@tallystick/client'
const gateway = '@tallystick/gateway'
const testing = '@tallystick/testing'
const journal = '@tallystick/journal'
const payments = '@tallystick/payments'

/** The packages that the merchant's half needs. */
const merchant = [core, signing, client, 'undici', 'zod']

/** The packages that the gateway needs, and its tools, which have dependencies of their own. */
const gatewayNeeds = [gateway, core, signing, 'zod', 'undici', 'kysely', 'ipaddr.js', '@remix-run/html-template']
const gatewayTools = ['pino', 'prom-client']

export interface Project {
  readonly name: string
  readonly manager: 'npm' | 'pnpm'
  /** Our packages that the user installs, which are all that the program can import. */
  readonly asked: readonly string[]
  /** What the user has anyway: the framework, types. These may have any dependencies. */
  readonly others: Readonly<Record<string, string>>
  /** Everything else that may be installed beside `others`, `tools` and their dependencies. */
  readonly needed: readonly string[]
  /** Dependencies of our packages that may have any dependencies themselves. */
  readonly tools?: readonly string[]
  /** What must not be installed at all. */
  readonly unwanted: readonly string[]
  /** The file in `programs/`; a `.mjs` if it has no types to try. */
  readonly program: string
  /** Samples of the documentation that the program works with, so that what is documented is what is tried. */
  readonly samples?: Samples
  /** Other files in `programs/` that the program works with, and where they are put. */
  readonly files?: Readonly<Record<string, string>>
  /** A shop of `examples/frameworks` that the program builds, starts and pays at. */
  readonly example?: Example
  /** Whether the declarations of the libraries beside ours are too old for strict settings: then those of packages are not checked. */
  readonly hasLooseTypes?: boolean
  /** Whether the program finds `POSTGRES_URL` in its environment and, if MariaDB is installed, `MARIADB_URL`. */
  readonly hasDatabases?: boolean
  /** The file in `programs/` that is compiled as a CommonJS module, which may be the same, for a package of apps that may be CommonJS. */
  readonly commonJs?: string
}

interface Example {
  readonly folder: string
  /** Where the shop's part, which those on `fetch` share, is put. */
  readonly shop?: string
  /** Where that of its database is put. */
  readonly database: string
  /** Of the module system of its files, as its manifest has it. */
  readonly type: 'module' | 'commonjs'
  /** How it is built and started. */
  readonly scripts: Readonly<Record<string, string>>
  /** The files that the compilers read. Default none: the framework's own build does. */
  readonly compiled?: readonly string[]
}

interface Samples {
  /** The page below the root. */
  readonly page: string
  readonly heading: string
  /** The file into which the first sample of each language is written. */
  readonly files: Readonly<Record<string, string>>
}

const workspace: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const types = triedWith(workspace, '@types/node')

const adapters = {
  express: '@tallystick/express-adapter',
  fastify: '@tallystick/fastify-plugin',
  nest: '@tallystick/nest-module',
} as const

const opentelemetry = '@tallystick/opentelemetry'

type AdapterProject = Omit<Project, 'name' | 'manager' | 'asked'>

const express: AdapterProject = {
  others: { ...types, ...triedWith(manifestOf(adapters.express), 'express', '@types/express') },
  needed: [adapters.express, ...merchant],
  unwanted: ['@nestjs/common', '@nestjs/core', 'kysely', 'pg', 'pino', '@tallystick/gateway'],
  program: 'express-adapter.ts',
  commonJs: 'express-adapter.ts',
}

const fastify: AdapterProject = {
  others: { ...types, ...triedWith(manifestOf(adapters.fastify), 'fastify') },
  needed: [adapters.fastify, ...merchant],
  // pino belongs to Fastify.
  unwanted: ['express', '@nestjs/core', 'kysely', 'pg', '@tallystick/gateway'],
  program: 'fastify-plugin.ts',
  commonJs: 'fastify-plugin.ts',
}

const frameworkOfNest = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-fastify', 'reflect-metadata', 'rxjs']

const frameworkOfNew = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  '@nestjs/testing',
  'reflect-metadata',
  'rxjs',
]

const nest: AdapterProject = {
  others: { ...types, ...triedWith(manifestOf(adapters.nest), ...frameworkOfNest) },
  needed: [adapters.nest, payments, journal, 'kysely', ...merchant],
  // pino belongs to Fastify.
  unwanted: ['express', '@nestjs/platform-express', 'pg', '@tallystick/gateway'],
  program: 'nest-module.ts',
  commonJs: 'nest-module.ts',
}

/** What installs the gateway, in a workspace of pnpm. */
const withGateway = {
  manager: 'pnpm',
  others: types,
  needed: [...merchant, ...gatewayNeeds],
  tools: gatewayTools,
  unwanted: ['pg', 'pg-boss'],
} as const

/** The database libraries of the journal that install nothing but packages of npm. */
const libraries = ['@mikro-orm/core', 'drizzle-orm', 'knex', 'mysql2', 'pg', 'postgres', 'sequelize', 'typeorm']
const alone = { manager: 'pnpm', others: types } as const

const journalLibraries = {
  ...project('journal-libraries.ts', [journal, client]),
  manager: 'pnpm',
  needed: [journal, ...merchant, 'kysely'],
  unwanted: ['pg-boss', gateway],
  hasLooseTypes: true,
  hasDatabases: true,
} as const

export const projects: readonly Project[] = [
  { name: 'express-adapter by npm', manager: 'npm', asked: [adapters.express], ...express },
  { name: 'express-adapter by pnpm', manager: 'pnpm', asked: [adapters.express, client], ...express },
  {
    ...fastify,
    name: 'fastify-plugin in the oldest Fastify by npm',
    manager: 'npm',
    asked: [adapters.fastify],
    others: { ...types, fastify: oldest(manifestOf(adapters.fastify), 'fastify') },
  },
  { name: 'fastify-plugin by pnpm', manager: 'pnpm', asked: [adapters.fastify, client], ...fastify },
  { name: 'nest-module by pnpm', manager: 'pnpm', asked: [adapters.nest], ...nest },
  nestNew('Nest 11', 'npm', {
    ...oldestNest(manifestOf(adapters.nest)),
    '@nestjs/schematics': '11.1.0',
    typescript: '5.9.3',
  }),
  nestNew('Nest 12', 'pnpm', {
    ...triedWith(manifestOf(adapters.nest), ...frameworkOfNew),
    '@nestjs/schematics': '12.0.6',
    typescript: '6.0.3',
  }),
  { ...project('signing.ts', [signing]), ...alone, needed: [signing], unwanted: [core, 'zod', 'undici'] },
  {
    ...project('journal.ts', [journal, client]),
    ...alone,
    needed: [journal, ...merchant, 'kysely'],
    unwanted: ['pg', 'pg-boss', gateway],
  },
  {
    ...project('payments.ts', [payments, testing]),
    ...withGateway,
    manager: 'npm',
    others: { ...types, ...triedWith(manifestOf(payments), 'express', '@types/express') },
    needed: [payments, journal, testing, ...withGateway.needed],
    unwanted: ['vitest', ...withGateway.unwanted],
    samples: { page: 'README.md', heading: '## A paid order in 25 lines', files: { ts: 'shop.ts' } },
  },
  {
    ...journalLibraries,
    name: 'journal on the oldest libraries',
    others: {
      ...types,
      ...oldestOf(manifestOf(journal), libraries),
      // A driver has the version of its ORM.
      '@mikro-orm/postgresql': oldest(manifestOf(journal), '@mikro-orm/core'),
      ...triedWith(manifestOf(journal), '@types/pg'),
    },
  },
  {
    ...project('opentelemetry.ts', [opentelemetry, client]),
    manager: 'pnpm',
    others: {
      ...types,
      '@opentelemetry/api': oldest(manifestOf(opentelemetry), '@opentelemetry/api'),
      '@opentelemetry/sdk-trace-base': '2.12.1',
    },
    needed: [opentelemetry, ...merchant],
    unwanted: [gateway, '@opentelemetry/sdk-metrics'],
  },
  {
    ...project('gateway.ts', [gateway]),
    ...withGateway,
    needed: gatewayNeeds,
    unwanted: [client, ...withGateway.unwanted],
  },
  { ...project('cli.ts', ['tallystick']), ...withGateway, needed: ['tallystick', testing, ...withGateway.needed] },
  {
    ...project('testing.ts', [testing, client]),
    ...withGateway,
    needed: [testing, ...withGateway.needed],
    unwanted: ['vitest', ...withGateway.unwanted],
  },
  {
    ...project('types.mjs', [
      adapters.express,
      adapters.fastify,
      client,
      core,
      gateway,
      journal,
      payments,
      signing,
      testing,
    ]),
    ...withGateway,
    others: {
      ...express.others,
      ...fastify.others,
      'typescript-5.4': 'npm:typescript@5.4.5',
      'typescript-5.9': 'npm:typescript@5.9.3',
      ...triedWith(workspace, 'typescript'),
    },
    needed: [adapters.express, adapters.fastify, journal, payments, testing, ...withGateway.needed],
    unwanted: ['vitest', ...withGateway.unwanted],
    files: { 'types-program.ts': 'types-program.ts' },
  },
  {
    ...project('vitest-4.ts', [testing]),
    ...withGateway,
    others: { ...types, vitest: '4.1.12' },
    needed: [testing, ...withGateway.needed],
    unwanted: ['jest', ...withGateway.unwanted],
  },
  {
    ...project('bundlers.mjs', [client, journal, testing]),
    ...withGateway,
    manager: 'npm',
    others: { ...types, esbuild: '0.28.2', webpack: '5.113.0', 'webpack-cli': '7.3.1' },
    needed: [journal, testing, ...withGateway.needed],
    unwanted: ['vitest', ...withGateway.unwanted],
    samples: { page: 'docs/runtimes.md', heading: '## Bundlers', files: { ts: 'app.ts', sh: 'bundle.sh' } },
  },
  {
    ...project('create.mjs', ['create-tallystick']),
    manager: 'npm',
    others: {},
    needed: ['create-tallystick'],
    tools: ['@clack/prompts'],
    unwanted: [core],
    hasDatabases: true,
  },
  shopOn('hono', { shop: 'src/shop.ts', database: 'src/database.ts', compiled: ['src/main.ts'] }),
  shopOn('koa', { shop: 'src/shop.ts', database: 'src/database.ts', compiled: ['src/main.ts'] }),
  // Its build takes as long as all other shops, and their bundlers read the same conditions.
  shopOn('next', { shop: 'lib/shop.ts', database: 'lib/database.ts' }),
  shopOn('sveltekit', { shop: 'src/lib/server/shop.ts', database: 'src/lib/server/database.ts' }),
  shopOn('nest', { database: 'src/database.ts' }),
  shopOn('nest', { database: 'src/database.ts' }, 'nest build -b webpack --webpackPath webpack.config.cjs'),
]

/**
 * The ends of the ranges of peers that `projects` does not have: the oldest, and what the registry has newest in the whole range. They
 * take as long as all others, so they are installed if they are asked for.
 */
export const peerProjects: readonly Project[] = [
  {
    ...express,
    name: 'express-adapter in the oldest Express',
    manager: 'pnpm',
    asked: [adapters.express, client],
    others: { ...types, ...oldestOf(manifestOf(adapters.express), ['express']), '@types/express': '4.17.25' },
  },
  {
    ...express,
    name: 'express-adapter in the newest Express',
    manager: 'pnpm',
    asked: [adapters.express, client],
    others: { ...types, ...newestOf(manifestOf(adapters.express)), '@types/express': '^5.0.0' },
  },
  {
    ...fastify,
    name: 'fastify-plugin in the newest Fastify',
    manager: 'pnpm',
    asked: [adapters.fastify, client],
    others: { ...types, ...newestOf(manifestOf(adapters.fastify)) },
  },
  {
    ...nest,
    name: 'nest-module in the oldest Nest on Fastify',
    manager: 'pnpm',
    asked: [adapters.nest],
    others: {
      ...types,
      ...oldestOf(manifestOf(adapters.nest), Object.keys(manifestOf(adapters.nest).peerDependencies ?? {})),
      '@nestjs/platform-fastify': oldest(manifestOf(adapters.nest), '@nestjs/core'),
    },
  },
  {
    ...nest,
    name: 'nest-module in the newest Nest on Fastify',
    manager: 'pnpm',
    asked: [adapters.nest],
    others: { ...types, ...newestOf(manifestOf(adapters.nest)), '@nestjs/platform-fastify': '^12.0.0' },
  },
  {
    ...journalLibraries,
    name: 'journal on the newest libraries',
    others: {
      ...types,
      ...newestOf(manifestOf(journal), libraries),
      '@mikro-orm/postgresql': manifestOf(journal).peerDependencies?.['@mikro-orm/core'] ?? '',
      ...triedWith(manifestOf(journal), '@types/pg'),
    },
  },
  {
    ...project('opentelemetry-sdk-3.ts', [opentelemetry, client]),
    name: 'opentelemetry on the newest API',
    manager: 'pnpm',
    others: { ...types, ...newestOf(manifestOf(opentelemetry)), '@opentelemetry/sdk-trace': '^3.1.1' },
    needed: [opentelemetry, ...merchant],
    unwanted: [gateway],
  },
  ...(['vitest', 'jest'] as const).flatMap((runner) => [
    testingIn(`the oldest ${runner}`, oldestOf(manifestOf(testing), runner === 'jest' ? ['jest', 'expect'] : [runner])),
    testingIn(`the newest ${runner}`, newestOf(manifestOf(testing), runner === 'jest' ? ['jest', 'expect'] : [runner])),
  ]),
  onPgBoss('the oldest pg-boss', oldestOf(manifestOf(gateway), ['pg', 'pg-boss'])),
  onPgBoss('the newest pg-boss', newestOf(manifestOf(gateway), ['pg', 'pg-boss'])),
]

function testingIn(runner: string, others: Project['others']): Project {
  return {
    ...project('runner.mjs', [testing]),
    ...withGateway,
    name: `testing in ${runner}`,
    others: { ...types, ...others },
    // jest 30 installs react-is under names that its manifest does not have.
    needed: [testing, ...withGateway.needed, ...(runner === 'the newest jest' ? ['react-is'] : [])],
    unwanted: ['pg', 'pg-boss'],
  }
}

function onPgBoss(name: string, others: Project['others']): Project {
  return {
    ...project('pg-boss.ts', [client, gateway, journal, testing]),
    ...withGateway,
    name: `gateway and journal on ${name}`,
    others: { ...types, ...others, ...triedWith(manifestOf(journal), '@types/pg') },
    needed: [client, gateway, journal, testing, ...withGateway.needed],
    unwanted: ['vitest'],
    hasLooseTypes: true,
    hasDatabases: true,
  }
}

/** A shop of `examples/frameworks`, with what its own manifest asks for; or of CommonJS, built in another way. */
function shopOn(folder: string, place: Pick<Example, 'shop' | 'database' | 'compiled'>, commonJs?: string): Project {
  const manifest = readFileSync(join(root, 'examples', 'frameworks', folder, 'package.json'), 'utf8')
  const { dependencies = {}, scripts = {} }: Manifest = JSON.parse(manifest)
  const ours = Object.keys(dependencies).filter((name) => name.startsWith('@tallystick/'))
  const built =
    commonJs === undefined
      ? ({ type: 'module', scripts } as const)
      : ({ type: 'commonjs', scripts: { ...scripts, build: commonJs } } as const)
  return {
    ...project('framework.mjs', [...ours, testing]),
    ...withGateway,
    name: `shop on ${folder}${commonJs === undefined ? '' : ' as CommonJS'}`,
    others: Object.fromEntries(Object.entries(dependencies).filter(([name]) => !ours.includes(name))),
    needed: [...ours, journal, testing, ...withGateway.needed],
    example: { folder, ...built, ...place },
  }
}

/** A project that has the name of its program. */
function project(program: string, asked: Project['asked']) {
  return { name: program.replace(/\.\w+$/, ''), program, asked }
}

/** A CommonJS app as `nest new` makes it: from the files of its schematics, with jest and ts-jest. */
function nestNew(version: string, manager: Project['manager'], framework: Project['others']): Project {
  const runner = { jest: '30.5.2', 'ts-jest': '29.4.15', '@types/jest': '30.0.0' }
  return {
    name: `nest-module in ${version} with jest by ${manager}`,
    manager,
    asked: [adapters.nest, payments, testing, core, gateway],
    others: { ...types, ...framework, ...runner },
    // jest installs react-is under names that its manifest does not have.
    needed: [adapters.nest, payments, journal, testing, ...withGateway.needed, 'react-is'],
    tools: gatewayTools,
    unwanted: ['@nestjs/platform-fastify', 'vitest', ...withGateway.unwanted],
    program: 'nest-new.mjs',
    files: { 'orders.service.ts': 'src/orders.service.ts', 'orders-spec.ts': 'src/orders.service.spec.ts' },
  }
}

function manifestOf(wanted: string): Manifest {
  const found = publicPackages().find(({ manifest }) => manifest.name === wanted)
  if (found === undefined) throw new Error(`there is no package ${wanted}`)
  return found.manifest
}

/** The versions with which a package's own tests run. */
function triedWith({ name, devDependencies = {} }: Manifest, ...wanted: readonly string[]): Project['others'] {
  return Object.fromEntries(
    wanted.map((one) => {
      const version = devDependencies[one]
      if (version === undefined) throw new Error(`${name} is not tested with ${one}`)
      return [one, version]
    }),
  )
}

/** The oldest Nest that the peer dependencies of the module allow, on Express, with its kit for tests. */
function oldestNest(module: Manifest): Project['others'] {
  const peers = Object.keys(module.peerDependencies ?? {}).map((peer) => [peer, oldest(module, peer)] as const)
  // A platform and the kit for tests have the same versions as their framework.
  const version = oldest(module, '@nestjs/core')
  return { ...Object.fromEntries(peers), '@nestjs/platform-express': version, '@nestjs/testing': version }
}

function oldestOf(manifest: Manifest, peers: readonly string[]): Project['others'] {
  return Object.fromEntries(peers.map((peer) => [peer, oldest(manifest, peer)]))
}

/** As a range of the manifest says it: the package manager takes the newest in it. */
function newestOf({ name, peerDependencies = {} }: Manifest, peers = Object.keys(peerDependencies)): Project['others'] {
  return Object.fromEntries(
    peers.map((peer) => {
      const range = peerDependencies[peer]
      if (range === undefined) throw new Error(`${name} has no peer ${peer}`)
      return [peer, range]
    }),
  )
}

/** The lowest version in the range of a peer: for `^11.1.9 || ^12.0.0` it is 11.1.9. */
function oldest({ name, peerDependencies = {} }: Manifest, peer: string): string {
  const version = /^(?:\^|>=)(\S+)/.exec(peerDependencies[peer] ?? '')?.[1]
  if (version === undefined) throw new Error(`${name} does not say which ${peer} is the oldest`)
  return version
}
