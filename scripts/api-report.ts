/**
 * Compares the public names of every entry point with the committed report `packages/<name>/etc/<entry>.api.md`.
 * Reads the built declarations, so build first.
 *
 *     node scripts/api-report.ts            fails if a public name was added, removed or changed, or has no summary
 *     node scripts/api-report.ts --local    rewrites the reports (`pnpm api`)
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type ExtractorMessage,
  ExtractorMessageCategory,
} from '@microsoft/api-extractor'
import { modelPath } from './docs/api.ts'
import { namesWithoutSummary } from './house/names.ts'
import { entryPoints, publicPackages, root, scratch } from './workspace.ts'

interface Report {
  /** The package's folder. */
  readonly project: string
  readonly declarations: string
  /** The committed file. */
  readonly path: string
}

const silent = { logLevel: ExtractorLogLevel.None }
const warning = { logLevel: ExtractorLogLevel.Warning }

/** Warnings for documentation sites, which this report is not. */
const unwanted = {
  'ae-forgotten-export': silent,
  'ae-missing-release-tag': silent,
  'ae-undocumented': silent,
  'ae-unresolved-link': silent,
}

function main(local: boolean): void {
  const reports = reportsOfWorkspace()
  const changed = findChanged(reports, local).map(({ path }) => `  ${relative(root, path)}`)
  failWithoutSummaries(reports)
  if (changed.length === 0) return
  console.error(`The public names differ from ${local ? 'the reports, now rewritten' : 'the committed reports'}:`)
  console.error(changed.join('\n'))
  if (local) return
  console.error('If that is intended, run `pnpm api`, commit the reports and add a changeset (`pnpm changeset`).')
  process.exitCode = 1
}

/** Not those of `internal`, which is for readers of our sources. */
function failWithoutSummaries(reports: readonly Report[]): void {
  const bare = reports
    .filter(({ path }) => existsSync(path) && basename(path) !== 'internal.api.md')
    .flatMap(({ path }) =>
      namesWithoutSummary(readFileSync(path, 'utf8')).map((name) => `  ${name} in ${relative(root, path)}`),
    )
  if (bare.length === 0) return
  console.error(`These public names have no summary:\n${bare.join('\n')}`)
  process.exitCode = 1
}

function reportsOfWorkspace(): readonly Report[] {
  return publicPackages().flatMap((each) =>
    entryPoints(each).map(({ name, types }) => ({
      project: each.path,
      declarations: requireBuilt(join(each.path, types)),
      path: join(each.path, 'etc', `${name === 'index' ? each.folder : name.replaceAll('/', '-')}.api.md`),
    })),
  )
}

function requireBuilt(declarations: string): string {
  if (!existsSync(declarations)) throw new Error(`${declarations} does not exist: run \`pnpm build\` first`)
  return declarations
}

/** The reports that differ. Compiles all entry points together, once, because that takes most of the time. */
function findChanged(reports: readonly Report[], local: boolean): readonly Report[] {
  const configs = reports.map((report) => configFor(report))
  const [first] = configs
  if (first === undefined) throw new Error('no public package was found')
  const compilerState = CompilerState.create(first, { additionalEntryPoints: reports.map((each) => each.declarations) })
  return reports.filter((report, index) => {
    const messageCallback = (message: ExtractorMessage) => print(message, report)
    const config = configs[index] ?? first
    const result = Extractor.invoke(config, { localBuild: local, compilerState, messageCallback })
    if (result.errorCount > 0) process.exitCode = 1
    return result.apiReportChanged
  })
}

/** Reads declarations as a user's compiler does: without the source condition, so that those of other packages are the built ones. */
function configFor({ project, declarations, path }: Report): ExtractorConfig {
  const reportTempFolder = join(scratch, 'api', relative(root, project))
  for (const folder of [reportTempFolder, dirname(path)]) mkdirSync(folder, { recursive: true })
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, skipLibCheck: true, types: ['node'] }
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(project, 'package.json'),
    configObject: {
      projectFolder: project,
      mainEntryPointFilePath: declarations,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
      apiReport: { enabled: true, reportFileName: basename(path), reportFolder: dirname(path), reportTempFolder },
      // For the pages of the site.
      docModel: { enabled: true, apiJsonFilePath: modelPath(project, path) },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: warning },
        extractorMessageReporting: { default: warning, ...unwanted },
        tsdocMessageReporting: { default: silent },
      },
    },
  })
}

/** Prints a message, but not those of the extractor about the report's files, which name temporary copies. */
function print(message: ExtractorMessage, { path }: Report): void {
  message.handled = true
  const wanted = message.logLevel === ExtractorLogLevel.Error || message.logLevel === ExtractorLogLevel.Warning
  if (!wanted || message.category === ExtractorMessageCategory.Console) return
  console.error(`${relative(root, path)}: ${message.formatMessageWithLocation(root)}`)
}

main(process.argv.includes('--local'))
