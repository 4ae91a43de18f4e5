/** Who installs what, and what must come along. */
const core = '@tallystick/core'
const signing = '@tallystick/signing'
const client = '@tallystick/client'
const gateway = '@tallystick/gateway'

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
  /** What the user has anyway: the framework, types. They may bring whatever they like. */
  readonly others: Readonly<Record<string, string>>
  /** Everything that may be there beside `others`, `tools` and what those bring. */
  readonly needed: readonly string[]
  /** What ours need and that brings along what it likes. */
  readonly tools?: readonly string[]
  /** What must not be there at all. */
  readonly unwanted: readonly string[]
  /** In `programs/`. */
  readonly program: string
  /** In `programs/` too: the same as a CommonJS module, for a package that belongs into apps which may be one. */
  readonly commonJs?: string
}

const types = { '@types/node': '24.19.2' }

const express: Omit<Project, 'name' | 'manager'> = {
  asked: ['@tallystick/express-adapter', client],
  others: { ...types, express: '5.3.0', '@types/express': '5.0.6' },
  needed: ['@tallystick/express-adapter', ...merchant],
  unwanted: ['@nestjs/common', '@nestjs/core', 'kysely', 'pg', 'pino', '@tallystick/gateway'],
  program: 'express-adapter.ts',
  commonJs: 'express-adapter.cts',
}

const nest: Omit<Project, 'name' | 'manager'> = {
  asked: ['@tallystick/nest-module', client],
  others: {
    ...types,
    '@nestjs/common': '12.5.1',
    '@nestjs/core': '12.5.1',
    '@nestjs/platform-fastify': '12.5.0',
    'reflect-metadata': '0.2.2',
    rxjs: '7.8.2',
  },
  needed: ['@tallystick/nest-module', ...merchant],
  // pino belongs to Fastify.
  unwanted: ['express', '@nestjs/platform-express', 'kysely', 'pg', '@tallystick/gateway'],
  program: 'nest-module.ts',
  commonJs: 'nest-module.cts',
}

export const projects: readonly Project[] = [
  { name: 'express-adapter by npm', manager: 'npm', ...express },
  { name: 'express-adapter by pnpm', manager: 'pnpm', ...express },
  { name: 'nest-module by npm', manager: 'npm', ...nest },
  { name: 'nest-module by pnpm', manager: 'pnpm', ...nest },
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
    asked: ['@tallystick/testing', client],
    others: types,
    needed: ['@tallystick/testing', ...merchant, ...gatewayNeeds],
    tools: gatewayTools,
    unwanted: ['pg', 'pg-boss', 'vitest'],
    program: 'testing.ts',
  },
]
