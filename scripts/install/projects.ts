/** Who installs what, and what must come along. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, publicPackages, root } from '../workspace.ts'

const core = '@tallystick/core'
const signing = '@tallystick/signing'
const client = '@tallystick/client'
const gateway = '@tallystick/gateway'
const testing = '@tallystick/testing'

/** What the merchant's half needs of npm. */
const merchant = [core, signing, client, 'undici', 'zod']

/** What the gateway needs; those two bring more. */
const gatewayNeeds = [gateway, core, signing, 'zod', 'undici', 'kysely', 'ipaddr.js', '@remix-run/html-template']
const gatewayTools = ['pino', 'prom-client']

export interface Project {
  readonly name: string
  readonly manager: 'npm' | 'pnpm'
  /** Ours that the user asks for. */
  readonly asked: readonly string[]
  /** Ours that came along, and that the program imports: pnpm wants them to be asked for. They are, once all is installed alone. */
  readonly imported?: readonly string[]
  /** What the user has anyway: the framework, types. They may bring whatever they like. */
  readonly others: Readonly<Record<string, string>>
  /** Everything that may be there beside `others`, `tools` and what those bring. */
  readonly needed: readonly string[]
  /** What ours need and that brings along what it likes. */
  readonly tools?: readonly string[]
  /** What must not be there at all. */
  readonly unwanted: readonly string[]
  /** In `programs/`: a `.cts` where the app is CommonJS alone. */
  readonly program: string
  /** In `programs/` too: the same as a CommonJS module, for a package that belongs into apps which may be one. */
  readonly commonJs?: string
}

const workspace: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const types = triedWith(workspace, '@types/node')

const adapters = {
  express: '@tallystick/express-adapter',
  nest: '@tallystick/nest-module',
} as const

type AdapterProject = Omit<Project, 'name' | 'manager' | 'asked'>

const express: AdapterProject = {
  others: { ...types, ...triedWith(manifestOf(adapters.express), 'express', '@types/express') },
  needed: [adapters.express, ...merchant],
  unwanted: ['@nestjs/common', '@nestjs/core', 'kysely', 'pg', 'pino', '@tallystick/gateway'],
  program: 'express-adapter.ts',
  commonJs: 'express-adapter.cts',
}

const frameworkOfNest = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-fastify', 'reflect-metadata', 'rxjs']

const nest: AdapterProject = {
  others: { ...types, ...triedWith(manifestOf(adapters.nest), ...frameworkOfNest) },
  needed: [adapters.nest, ...merchant],
  // pino belongs to Fastify.
  unwanted: ['express', '@nestjs/platform-express', 'kysely', 'pg', '@tallystick/gateway'],
  program: 'nest-module.ts',
  commonJs: 'nest-module.cts',
}

export const projects: readonly Project[] = [
  { name: 'express-adapter by npm', manager: 'npm', asked: [adapters.express], ...express },
  { name: 'express-adapter by pnpm', manager: 'pnpm', asked: [adapters.express], imported: [client], ...express },
  { name: 'nest-module by npm', manager: 'npm', asked: [adapters.nest], ...nest },
  { name: 'nest-module by pnpm', manager: 'pnpm', asked: [adapters.nest], imported: [client], ...nest },
  {
    name: 'nest-module in Nest 11 by npm',
    manager: 'npm',
    asked: [adapters.nest, testing],
    others: { ...types, ...oldestNest(manifestOf(adapters.nest)) },
    needed: [adapters.nest, testing, ...merchant, ...gatewayNeeds],
    tools: gatewayTools,
    unwanted: ['@nestjs/platform-fastify', 'pg', 'pg-boss', 'vitest'],
    program: 'nest-11.cts',
  },
  {
    name: 'signing by npm',
    manager: 'npm',
    asked: [signing],
    others: types,
    needed: [signing],
    unwanted: [core, 'zod', 'undici'],
    program: 'signing.ts',
  },
  {
    name: 'journal by npm',
    manager: 'npm',
    asked: ['@tallystick/journal', client],
    others: types,
    needed: ['@tallystick/journal', ...merchant, 'kysely'],
    unwanted: ['pg', 'pg-boss', '@tallystick/gateway'],
    program: 'journal.ts',
  },
  {
    name: 'gateway by npm',
    manager: 'npm',
    asked: [gateway],
    others: types,
    needed: gatewayNeeds,
    tools: gatewayTools,
    unwanted: [client, 'pg', 'pg-boss'],
    program: 'gateway.ts',
  },
  {
    name: 'testing by npm',
    manager: 'npm',
    asked: [testing, client],
    others: types,
    needed: [testing, ...merchant, ...gatewayNeeds],
    tools: gatewayTools,
    unwanted: ['pg', 'pg-boss', 'vitest'],
    program: 'testing.ts',
  },
  {
    name: 'testing in vitest 4 by npm',
    manager: 'npm',
    asked: [testing],
    others: { ...types, vitest: '4.1.12' },
    needed: [testing, ...merchant, ...gatewayNeeds],
    tools: gatewayTools,
    unwanted: ['pg', 'pg-boss', 'jest'],
    program: 'vitest-4.ts',
  },
]

function manifestOf(wanted: string): Manifest {
  const found = publicPackages().find(({ manifest }) => manifest.name === wanted)
  if (found === undefined) throw new Error(`there is no package ${wanted}`)
  return found.manifest
}

/** The versions that a package's own tests run with. */
function triedWith({ name, devDependencies = {} }: Manifest, ...wanted: readonly string[]): Project['others'] {
  return Object.fromEntries(
    wanted.map((one) => {
      const version = devDependencies[one]
      if (version === undefined) throw new Error(`${name} is not tested with ${one}`)
      return [one, version]
    }),
  )
}

/** The oldest Nest that the peers of its module let through, on Express. */
function oldestNest(module: Manifest): Project['others'] {
  const peers = Object.keys(module.peerDependencies ?? {}).map((peer) => [peer, oldest(module, peer)] as const)
  // A platform has the versions of its framework.
  return { ...Object.fromEntries(peers), '@nestjs/platform-express': oldest(module, '@nestjs/core') }
}

/** Where the range of a peer begins: `^11.1.9 || ^12.0.0` does so with 11.1.9. */
function oldest({ name, peerDependencies = {} }: Manifest, peer: string): string {
  const version = /^\^(\S+)/.exec(peerDependencies[peer] ?? '')?.[1]
  if (version === undefined) throw new Error(`${name} does not say which ${peer} is the oldest`)
  return version
}
