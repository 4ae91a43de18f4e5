/**
 * Which package may import what. The lint of the sources, the test of the built bundles and the test of the
 * manifests all read this one table. The order of the folders inside a package is in `layers.ts`.
 */
export interface PackageRule {
  /** Packages of npm, by name. A package may always import its own files. */
  readonly packages: readonly string[]
  /** Private packages of ours that its build contains: its sources import them, and nothing that is published does. */
  readonly bundled?: readonly string[]
  /** Modules built into Node, as imported. */
  readonly builtins: 'any' | readonly string[]
  /**
   * Files and folders below `src` that may use the clock, randomness, timers, `fetch` and the environment. The others get them as
   * arguments.
   */
  readonly effects: 'anywhere' | readonly string[]
}

const core = '@tallystick/core'
const signing = '@tallystick/signing'
const client = '@tallystick/client'
const gateway = '@tallystick/gateway'
const durable = '@tallystick/durable'

/**
 * By folder under `packages/`: the public packages, and those that are bundled into them. Other private packages (tests that need
 * both halves) may import anything.
 */
export const dependencyTable: Readonly<Record<string, PackageRule>> = {
  // Its OpenAPI document imports the package by its name, so that the package without the document is one file.
  core: { packages: ['zod', core], builtins: [], effects: [] },
  signing: { packages: [], builtins: ['node:crypto'], effects: [] },
  client: { packages: [core, signing, 'undici'], builtins: 'any', effects: ['runtime', 'transport'] },
  durable: { packages: ['kysely', 'pg'], builtins: 'any', effects: ['system.ts'] },
  journal: {
    packages: [core, client, 'kysely', 'pg', 'pg-boss'],
    bundled: [durable],
    builtins: 'any',
    effects: ['runtime', 'cli/main.ts'],
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
    bundled: [durable],
    builtins: 'any',
    effects: ['runtime', 'cli', 'http/server.ts', 'http/reject.ts', 'callbacks/sender.ts'],
  },
  'express-adapter': { packages: [core, client, 'express'], builtins: 'any', effects: [] },
  'nest-module': {
    packages: [core, client, '@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'],
    builtins: 'any',
    effects: [],
  },
  cli: { packages: [core, signing, client, gateway], bundled: [durable], builtins: 'any', effects: ['runtime'] },
  opentelemetry: { packages: [core, client, '@opentelemetry/api'], builtins: 'any', effects: [] },
  testing: {
    packages: [core, signing, client, gateway, 'vitest', 'jest', 'expect'],
    builtins: 'any',
    effects: 'anywhere',
  },
}

/** Built-in modules that consist only of a clock, timers or the environment. */
export const EFFECT_MODULES = ['node:perf_hooks', 'node:process', 'node:timers', 'node:timers/promises']
