/** The projects: what each installs, and what must be installed with it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, publicPackages, root } from '../workspace.ts'

const core = '@tallystick/core'
const signing = '@tallystick/signing'
const client = '@tallystick/client'
const gateway = '@tallystick/gateway'
const testing = '@tallystick/testing'

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
  /** The file in `programs/` that is compiled as a CommonJS module, which may be the same, for a package of apps that may be CommonJS. */
  readonly commonJs?: string
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
  needed: [adapters.nest, ...merchant],
  // pino belongs to Fastify.
  unwanted: ['express', '@nestjs/platform-express', 'kysely', 'pg', '@tallystick/gateway'],
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

const journal = '@tallystick/journal'
const alone = { manager: 'pnpm', others: types } as const

export const projects: readonly Project[] = [
  { name: 'express-adapter by npm', manager: 'npm', asked: [adapters.express], ...express },
  { name: 'express-adapter by pnpm', manager: 'pnpm', asked: [adapters.express, client], ...express },
  { name: 'nest-module by pnpm', manager: 'pnpm', asked: [adapters.nest], ...nest },
  { ...nestNew('Nest 11', 'npm', oldestNest(manifestOf(adapters.nest))), commonJs: 'nest-11.cts' },
  nestNew('Nest 12', 'pnpm', triedWith(manifestOf(adapters.nest), ...frameworkOfNew)),
  { ...project('signing.ts', [signing]), ...alone, needed: [signing], unwanted: [core, 'zod', 'undici'] },
  {
    ...project('journal.ts', [journal, client]),
    ...alone,
    needed: [journal, ...merchant, 'kysely'],
    unwanted: ['pg', 'pg-boss', gateway],
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
  { ...project('cli.ts', ['tallystick']), ...withGateway, needed: ['tallystick', ...withGateway.needed] },
  {
    ...project('testing.ts', [testing, client]),
    ...withGateway,
    needed: [testing, ...withGateway.needed],
    unwanted: ['vitest', ...withGateway.unwanted],
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
]

/** A project that has the name of its program. */
function project(program: string, asked: Project['asked']) {
  return { name: program.replace(/\.\w+$/, ''), program, asked }
}

/** A CommonJS app as `nest new` makes it, with jest and ts-jest. */
function nestNew(version: string, manager: Project['manager'], framework: Project['others']): Project {
  const runner = { jest: '30.5.2', 'ts-jest': '29.4.15', '@types/jest': '30.0.0', typescript: '5.9.3' }
  return {
    name: `nest-module in ${version} with jest by ${manager}`,
    manager,
    asked: [adapters.nest, testing],
    others: { ...types, ...framework, ...runner },
    // jest installs react-is under names that its manifest does not have.
    needed: [adapters.nest, testing, ...withGateway.needed, 'react-is'],
    tools: gatewayTools,
    unwanted: ['@nestjs/platform-fastify', 'vitest', ...withGateway.unwanted],
    program: 'nest-new.mjs',
    files: { 'orders.service.ts': 'src/orders.service.ts', 'orders-spec.ts': 'src/orders.service.spec.ts' },
    samples: {
      page: 'packages/testing/README.md',
      heading: '### In jest of a CommonJS app',
      files: { json: 'recipe.json' },
    },
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

/** The lowest version in the range of a peer: for `^11.1.9 || ^12.0.0` it is 11.1.9. */
function oldest({ name, peerDependencies = {} }: Manifest, peer: string): string {
  const version = /^\^(\S+)/.exec(peerDependencies[peer] ?? '')?.[1]
  if (version === undefined) throw new Error(`${name} does not say which ${peer} is the oldest`)
  return version
}
