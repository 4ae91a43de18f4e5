/**
 * Which package may import what. The lint of the sources, the test of the built bundles and the test of the
 * manifests all read this one table.
 */
export interface PackageRule {
  /** Packages of npm, by name. A package may always import its own files. */
  readonly packages: readonly string[]
  /** Modules built into Node, as imported. */
  readonly builtins: 'any' | readonly string[]
  /**
   * Where the package may use the clock, randomness, timers, `fetch` and the environment. Elsewhere it gets them as arguments.
   * A rim is a file under `src/rims/` of the package.
   */
  readonly effects: 'nowhere' | 'in rims' | 'anywhere'
}

const core = '@tallystick/core'
const signing = '@tallystick/signing'
const client = '@tallystick/client'
const gateway = '@tallystick/gateway'

/** By folder under `packages/`. Private packages (tests that need both halves) may import anything. */
export const dependencyTable: Readonly<Record<string, PackageRule>> = {
  // Its OpenAPI document imports the package by its name, so that the package without the document is one file.
  core: { packages: ['zod', core], builtins: [], effects: 'nowhere' },
  signing: { packages: [], builtins: ['node:crypto'], effects: 'nowhere' },
  client: { packages: [core, signing, 'undici'], builtins: 'any', effects: 'in rims' },
  journal: { packages: [core, client, 'kysely', 'pg', 'pg-boss'], builtins: 'any', effects: 'in rims' },
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
    builtins: 'any',
    effects: 'in rims',
  },
  'express-adapter': { packages: [core, client, 'express'], builtins: 'any', effects: 'nowhere' },
  'nest-module': {
    packages: [core, client, '@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'],
    builtins: 'any',
    effects: 'nowhere',
  },
  cli: { packages: [core, signing, client, gateway], builtins: 'any', effects: 'in rims' },
  opentelemetry: { packages: [core, client, '@opentelemetry/api'], builtins: 'any', effects: 'nowhere' },
  testing: {
    packages: [core, signing, client, gateway, 'vitest', 'jest', 'expect'],
    builtins: 'any',
    effects: 'anywhere',
  },
}

/** The folder whose files may use the clock and the like, if the table says `in rims`. */
export const RIM_FOLDER = 'src/rims/'

/** Built-in modules that consist only of a clock, timers or the environment. */
export const EFFECT_MODULES = ['node:perf_hooks', 'node:process', 'node:timers', 'node:timers/promises']
