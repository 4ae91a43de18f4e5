/**
 * The blocks of the documentation that are made from the code, each from `<!-- NAME: WHAT -->` to `<!-- /NAME -->`. So that they
 * cannot differ from the code, a test compares them.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OperationKey } from '../../packages/core/src/index.ts'
import { CallbackNotice } from '../../packages/core/src/internal.ts'
import { DANGERS } from '../../packages/gateway/src/cli/start-warnings.ts'
import { root } from '../workspace.ts'
import { code, table } from './markdown.ts'
import { type OptionsType, optionsTables } from './options.ts'
import { operationIndex, operationSections, replies, replyTable } from './reference.ts'
import { actionDiagram, constraints, stateRules, statusDiagram } from './state.ts'

export interface Page {
  /** The path below the root. */
  readonly name: string
  readonly text: string
  /** The text as it has to be. */
  readonly wanted: string
}

const BLOCK = /^<!-- (?<name>[a-z-]+)(?:: (?<what>.+))? -->$\n[\s\S]*?^<!-- \/\k<name> -->$/gm

const makers: Readonly<Record<string, (what: string, folder: string) => string>> = {
  /** The operations of a page, by their keys. */
  operations: (keys) => operationSections(keysIn(keys)),
  /** Those of the page of this name. */
  'operations-of': (page, folder) => {
    const [, keys = ''] = /^<!-- operations: (.+) -->$/m.exec(readFileSync(join(folder, page), 'utf8')) ?? []
    return operationIndex(page, keysIn(keys))
  },
  replies,
  'callback-fields': () => replyTable(CallbackNotice),
  'status-diagram': statusDiagram,
  'action-diagram': actionDiagram,
  'state-rules': stateRules,
  constraints,
  'dangerous-settings': () =>
    table(
      ['Setting', 'Why it is dangerous'],
      DANGERS.map(([setting, why]) => [setting.includes(' ') ? setting : code(setting), why]),
    ),
}

const keysIn = (text: string) => text.split(', ') as OperationKey[]

/** Every page that has a block. */
export function pagesWithBlocks(): readonly Page[] {
  const pages = globSync(['docs/**/*.md', 'packages/*/README.md'], { cwd: root })
    .sort()
    .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
  const tables = optionsTables(pages.flatMap(({ name, text }) => optionsIn(name, text))).values()
  return pages.flatMap(({ name, text }) => {
    const wanted = text.replaceAll(BLOCK, (block, kind: string, what = '') => {
      const make = kind === 'options' ? () => tables.next().value ?? '' : makers[kind]
      if (make === undefined) throw new Error(`${name} has a block ${kind}, which nothing makes`)
      const opening = block.slice(0, block.indexOf('\n'))
      return `${opening}\n\n${make(what, dirname(join(root, name)))}\n\n<!-- /${kind} -->`
    })
    return text.search(BLOCK) === -1 ? [] : { name, text, wanted }
  })
}

/** `<!-- options: NAME -->` is of the package whose README or page it is; another one is named: `NAME of @tallystick/PACKAGE/ENTRY`. */
function optionsIn(page: string, text: string): readonly OptionsType[] {
  const own = /(?:^docs\/|\/)([\w-]+)(?:\.md|\/README\.md)$/.exec(page)?.[1]
  return [...text.matchAll(/^<!-- options: (\S+)(?: of @tallystick\/([\w-]+)(?:\/(\w+))?)? -->$/gm)].map(
    ([, name = '', of = own, entry = 'index']) => ({
      module: join(root, 'packages', of ?? '', `src/${entry}.ts`),
      name,
    }),
  )
}
