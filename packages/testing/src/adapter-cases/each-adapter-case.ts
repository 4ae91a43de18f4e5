import { checkOptions, suggestName, validator } from '@tallystick/core/internal'
import { testControlKey } from '../fakes.ts'
import type { AdapterCase } from './adapter-case.ts'
import { adapterCases } from './adapter-cases.ts'
import { ADAPTER_PARSERS, type AdapterParser, type MountAdapter } from './mount-adapter.ts'
import { runCase } from './run-case.ts'

/** Which cases run. */
export interface EachAdapterCaseOptions {
  /** The parsers that the framework has. Default all. */
  readonly parsers?: readonly AdapterParser[]
}

/**
 * Registers every case that an adapter has to pass with `test` of your test runner: `eachAdapterCase(mount, test)`.
 *
 * A case starts the app that it needs, sends its requests, and checks the answers and what the shop got.
 *
 * @throws TypeError without an adapter or a runner; for an unknown parser, or an empty list, with which no case would run
 */
export function eachAdapterCase(
  mount: MountAdapter,
  test: (name: string, run: () => Promise<void>) => void,
  { parsers = ADAPTER_PARSERS }: EachAdapterCaseOptions = {},
): void {
  checkOptions('eachAdapterCase', { mount, test }, KINDS)
  requireParsers(parsers)
  const keys = { a: testControlKey(), b: testControlKey() }
  for (const one of casesOf(parsers)) test(one.name, () => runCase(one, mount, keys))
}

const KINDS = {
  mount: validator.required({ ...validator.function, wanted: 'a function that starts an app with your adapter' }),
  test: validator.required({ ...validator.function, wanted: 'test of your test runner' }),
}

function requireParsers(parsers: readonly string[]): void {
  if (parsers.length === 0) throw new TypeError('eachAdapterCase: parsers is empty, and no case would run')
  const unknown = parsers.find((parser) => !ADAPTER_PARSERS.some((known) => known === parser))
  if (unknown === undefined) return
  throw new TypeError(`eachAdapterCase: there is no parser ${unknown}; ${suggestName(unknown, ADAPTER_PARSERS)}`)
}

function casesOf(parsers: readonly AdapterParser[]): readonly AdapterCase[] {
  return adapterCases.filter(({ parser }) => parsers.includes(parser))
}
