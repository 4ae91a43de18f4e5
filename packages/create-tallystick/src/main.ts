#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cancel, intro, isCancel, outro, select, text } from '@clack/prompts'
import { DATABASES, FRAMEWORKS } from './choices.ts'
import { type Asked, DEFAULTS, HELP, nextSteps, readArguments } from './run.ts'
import { RefusedError, type Wanted, writeShop } from './write-shop.ts'

/** The command `create-tallystick`, which `npm create tallystick` runs. */

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'),
)

try {
  await main(readArguments(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof RefusedError)) throw error
  process.stderr.write(`create-tallystick: ${error.message}\n`)
  process.exitCode = 2
}

async function main(asked: Asked): Promise<void> {
  if (asked.help) return void process.stdout.write(HELP)
  if (asked.version) return void process.stdout.write(`${version}\n`)
  const wanted = await wantedOf(asked)
  if (wanted === undefined) {
    process.exitCode = 1
    return cancel('Nothing was written.')
  }
  writeShop(wanted, version)
  if (process.stdout.isTTY) outro(nextSteps(wanted))
  else process.stdout.write(nextSteps(wanted))
}

/** `undefined`: the user has ended it. */
async function wantedOf({ yes, folder, framework, database }: Asked): Promise<Wanted | undefined> {
  const given = {
    ...DEFAULTS,
    ...(folder && { folder }),
    ...(framework && { framework }),
    ...(database && { database }),
  }
  const isAll = folder !== undefined && framework !== undefined && database !== undefined
  if (yes || isAll) return given
  if (!process.stdin.isTTY) {
    throw new RefusedError('nobody is here to ask: give FOLDER, --framework and --database, or --yes')
  }
  intro('A small shop that takes payments')
  const where =
    folder ?? (await text({ message: 'Where?', placeholder: DEFAULTS.folder, defaultValue: DEFAULTS.folder }))
  if (isCancel(where)) return undefined
  const what = framework ?? (await select({ message: 'Which framework?', options: optionsOf(FRAMEWORKS) }))
  if (isCancel(what)) return undefined
  const store = database ?? (await select({ message: 'Which database?', options: optionsOf(DATABASES) }))
  if (isCancel(store)) return undefined
  return { folder: where, framework: what, database: store }
}

function optionsOf<Name extends string>(known: Readonly<Record<Name, { readonly title: string }>>) {
  return Object.entries<{ readonly title: string }>(known).map(([value, { title }]) => ({
    value: value as Name,
    label: title,
  }))
}
