import { testControlKey } from '../keys.ts'
import type { AdapterCase } from './adapter-case.ts'
import { adapterCases } from './adapter-cases.ts'
import { ADAPTER_PARSERS, type AdapterParser, type MountAdapter } from './mount-adapter.ts'
import { runCase } from './run-case.ts'

export interface EachAdapterCaseOptions {
  /** The parsers that the framework has. Default all. */
  readonly parsers?: readonly AdapterParser[]
}

/**
 * Gives every case that an adapter has to pass to `test` of your test runner: `eachAdapterCase(mount, test)`.
 *
 * A case starts the app that it needs, sends its requests and looks at the answers and at what the shop was given.
 */
export function eachAdapterCase(
  mount: MountAdapter,
  test: (name: string, run: () => Promise<void>) => void,
  { parsers = ADAPTER_PARSERS }: EachAdapterCaseOptions = {},
): void {
  const keys = { a: testControlKey(), b: testControlKey() }
  for (const one of casesOf(parsers)) test(one.name, () => runCase(one, mount, keys))
}

function casesOf(parsers: readonly AdapterParser[]): readonly AdapterCase[] {
  return adapterCases.filter(({ parser }) => parsers.includes(parser))
}
