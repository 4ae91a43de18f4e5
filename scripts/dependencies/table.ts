/**
 * Which package may import what. The lint of the sources, the test of the built bundles and the test of the
 * manifests all read this one table. The order of the folders inside a package is in `layers.ts`.
 */
export interface PackageRule {
  /** Packages of npm, by name. A package may always import its own files. */
  readonly packages: readonly string[]
  /** Private packages of ours that its build contains: its sources import them, and nothing that is published does. */
  readonly bundled?: readonly string[]
  /** Modules built into Node, as imported; if there is no list, all of them. */
  readonly builtins?: readonly string[]
}

const core = '@tallystick/core'
const signing = '@tallystick/signing'
const client = '@tallystick/client'
const gateway = '@tallystick/gateway'
const durable = '@tallystick/durable'
const workbench = '@tallystick/workbench'

/**
 * By folder under `packages/`: the public packages, and those that are bundled into them. Other private packages (tests that need
 * both halves) may import anything.
 */
export const dependencyTable: Readonly<Record<string, PackageRule>> = {
  // Its OpenAPI document imports the package by its name, so that the package without the document is one file.
  core: { packages: ['zod', core], builtins: [] },
  signing: { packages: [], builtins: ['node:crypto'] },
  client: { packages: [core, signing, 'undici'] },
  durable: { packages: ['kysely', 'pg'] },
  journal: {
    packages: [
      core,
      client,
      'kysely',
      'pg',
      'pg-boss',
      'drizzle-orm',
      // Types alone.
      '@mikro-orm/core',
      'knex',
      'mysql2',
      'postgres',
      'sequelize',
      'typeorm',
    ],
    bundled: [durable],
  },
  gateway: {
    packages: [
      core,
      signing,
      'undici',
      'kysely',
      'pg',
      'pg-boss',
      'pino',
      'prom-client',
      'ipaddr.js',
      '@remix-run/html-template',
      'zod',
    ],
    bundled: [durable, workbench],
  },
  // A page in a browser: of core it has types, and the tables that its diagrams are drawn from.
  workbench: { packages: [core, 'preact'], builtins: [] },
  payments: { packages: [core, client, '@tallystick/journal'] },
  'express-adapter': { packages: [core, client, 'express'] },
  'fastify-plugin': { packages: [core, client, 'fastify'] },
  'nest-module': {
    packages: [
      core,
      client,
      '@tallystick/journal',
      '@tallystick/payments',
      '@nestjs/common',
      '@nestjs/core',
      'reflect-metadata',
      'rxjs',
    ],
  },
  cli: { packages: [core, signing, client, gateway, '@tallystick/testing'], bundled: [durable] },
  'create-tallystick': { packages: ['@clack/prompts'] },
  opentelemetry: { packages: [core, client, '@opentelemetry/api'] },
  testing: {
    packages: [core, signing, client, gateway, 'vitest', 'jest', 'expect'],
  },
}
