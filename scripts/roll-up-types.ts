/**
 * Puts the declarations of each entry point of a package into one file, without what the entry point does not reach, and
 * removes the others. Part of the build of what a merchant installs; runs in the package's folder, after `tsc`.
 *
 *     node ../../scripts/roll-up-types.ts
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { consumerTsconfig } from './consumer-tsconfig.ts'
import { entryPoints, type Manifest, scratch } from './workspace.ts'

const project = process.cwd()
const manifest: Manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
const folder = join(scratch, 'types', basename(project))
mkdirSync(folder, { recursive: true })

const rolledUp = entryPoints({ manifest }).map(({ name, types }) => {
  const target = join(project, types)
  const made = join(folder, `${name}.d.ts`)
  rollUp(target, made)
  return { made, target }
})
for (const file of globSync('dist/**/*.d.ts')) rmSync(file)
for (const directory of globSync('dist/*/')) rmSync(directory, { recursive: true })
for (const { made, target } of rolledUp) writeFileSync(target, shorter(readFileSync(made, 'utf8')))

/** The same declarations: with tabs, and without the word that an interface and a type can do without. */
function shorter(declarations: string): string {
  return declarations
    .replace(/^(?: {4})+/gm, (indent) => '\t'.repeat(indent.length / 4))
    .replace(/^((?:export )?)declare (?=interface |type )/gm, '$1')
}

function rollUp(declarations: string, made: string): void {
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(project, 'package.json'),
    configObject: {
      projectFolder: project,
      mainEntryPointFilePath: declarations,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: consumerTsconfig(declarations) },
      apiReport: { enabled: false },
      docModel: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: made },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  })
  const { succeeded } = Extractor.invoke(config, {
    messageCallback: (message) => {
      message.handled = true
      if (message.logLevel === ExtractorLogLevel.Error) console.error(message.text)
    },
  })
  if (!succeeded) throw new Error(`the declarations of ${declarations} cannot be put into one file`)
}
