/** A page for each entry point: every exported name, with what its comment says. From the models that `scripts/api-report.ts` writes. */
import { readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { entryPoints, publicPackages, root, scratch } from '../workspace.ts'
import { code, fence, list, table } from './markdown.ts'

export interface ApiPage {
  /** In the site: `api/client-ports.md`. */
  readonly path: string
  /** As it is imported: `@tallystick/client/ports`. */
  readonly title: string
  readonly text: string
  readonly names: readonly string[]
}

/** A part of a model of the API extractor. */
interface ApiItem {
  readonly kind: string
  readonly name?: string
  readonly docComment?: string
  readonly excerptTokens?: ReadonlyArray<{ readonly text: string }>
  readonly members?: readonly ApiItem[]
}

/** What is exported, by kind, in the order of a page. */
const KINDS: ReadonlyArray<readonly [heading: string, ...kinds: string[]]> = [
  ['Functions', 'Function'],
  ['Classes', 'Class'],
  ['Values', 'Variable', 'Enum', 'Namespace'],
  ['Types', 'Interface', 'TypeAlias'],
]

/** Where the extractor writes the model of an entry point. */
export function modelPath(project: string, report: string): string {
  return join(scratch, 'api', relative(root, project), `${basename(report, '.api.md')}.api.json`)
}

/** The pages of all entry points but `internal`, which is outside of the public interface. */
export function apiPages(): readonly ApiPage[] {
  return publicPackages().flatMap((each) =>
    entryPoints(each)
      .filter(({ name }) => name !== 'internal')
      .map(({ name }) => {
        const file = name === 'index' ? each.folder : name.replaceAll('/', '-')
        const { members: [entry] = [] }: ApiItem = JSON.parse(
          readFileSync(modelPath(each.path, `${file}.api.md`), 'utf8'),
        )
        const title = `${each.manifest.name}${name === 'index' ? '' : `/${name}`}`
        return pageOf(title, `api/${each.folder}${name === 'index' ? '' : `-${file}`}.md`, entry?.members ?? [])
      }),
  )
}

function pageOf(title: string, path: string, items: readonly ApiItem[]): ApiPage {
  const groups = KINDS.flatMap(([heading, ...kinds]) => {
    const ofKind = items.filter(({ kind }) => kinds.includes(kind))
    const byName = Map.groupBy(ofKind, ({ name = '' }) => name)
    return byName.size === 0
      ? []
      : [`## ${heading}`, ...[...byName].sort(byText).map(([name, same]) => sectionOf(name, same))]
  })
  const names = [...new Set(items.flatMap(({ name }) => name ?? []))]
  return {
    path,
    title,
    text: [`# ${title}`, 'Every name that it exports, from its declarations.', ...groups, ''].join('\n\n'),
    names,
  }
}

function byText([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

/** Overloads of a function are one section. */
function sectionOf(name: string, same: readonly ApiItem[]): string {
  const parts = same.flatMap((item) => {
    const { summary, notes } = readComment(item.docComment)
    const isWhole = item.members === undefined || item.members.length === 0 || item.kind === 'Function'
    return [
      summary,
      fence('ts', isWhole ? excerptOf(item) : `${excerptOf(item)} { … }`),
      ...(notes.length === 0 ? [] : [list(notes)]),
      ...(isWhole ? [] : [membersOf(item.members ?? [])]),
    ]
  })
  return [`### ${name}`, ...parts.filter((part) => part !== '')].join('\n\n')
}

function membersOf(members: readonly ApiItem[]): string {
  const rows = members.map((member) => {
    const { summary, notes } = readComment(member.docComment)
    const name = member.name ?? (member.kind === 'Constructor' ? 'constructor' : '')
    return [code(name), code(typeOf(member)), [summary, ...notes].join(' ').replaceAll(/\s+/g, ' ')]
  })
  return table(['Name', 'Type', 'Meaning'], rows)
}

function excerptOf({ excerptTokens = [] }: ApiItem): string {
  return excerptTokens
    .map(({ text }) => text)
    .join('')
    .replace(/^export (?:declare )?/, '')
    .replaceAll(/import\("[^"]*"\)\./g, '')
    .trim()
}

function typeOf(member: ApiItem): string {
  const text = excerptOf(member)
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/;$/, '')
  return text.replace(/^(?:(?:abstract|readonly|static) )*(?:get )?[\w$]+(\??): /, (_whole, optional: string) =>
    optional === '' ? '' : 'optional ',
  )
}

/** The text of a comment, and what its tags say. */
function readComment(comment = ''): { readonly summary: string; readonly notes: readonly string[] } {
  const text = comment
    .replace(/^\/\*\*/, '')
    .replace(/\*\/\s*$/, '')
    .replaceAll(/^[ \t]*\* ?/gm, '')
    .replaceAll(/\{@link (?:([^}|]*\S)\s*\|\s*)?([^}]+?)\s*\}/g, (_link, target: string | undefined, label: string) =>
      target === undefined ? code(label) : /^https?:/.test(target) ? `[${label}](${target})` : label,
    )
  const [summary = '', ...tags] = text.split(/^@(?=[a-z])/m)
  const notes = tags.flatMap((tag) => {
    const [, name = '', said = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? []
    const words = said.trim().replaceAll(/\s+/g, ' ')
    return words === '' || !['param', 'throws', 'returns'].includes(name) ? [] : [sentenceOf(name, words)]
  })
  return { summary: escaped(summary.trim()), notes: notes.map(escaped) }
}

function sentenceOf(tag: string, words: string): string {
  if (tag === 'param') return words.replace(/^(\w+) (?:- )?/, (_whole, name: string) => `${code(name)}: `)
  return `${tag === 'throws' ? 'Throws' : 'Returns'}: ${words}`
}

/** A type argument in a comment is no HTML. */
function escaped(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 0 ? part.replaceAll('<', '&lt;').replaceAll('{{', '{ {') : part))
    .join('')
}
