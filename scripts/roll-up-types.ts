/**
 * Puts the declarations that each entry point of a package reaches into one file, removes all other declaration files, and
 * shortens the result. Part of the build of the packages that a merchant installs; runs in the package's folder, after `tsc`.
 *
 *     node ../../scripts/roll-up-types.ts
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Extractor, ExtractorLogLevel } from '@microsoft/api-extractor'
import { extractorConfig } from './extractor-config.ts'
import { reused } from './shorter-types/reused.ts'
import { shared } from './shorter-types/shared.ts'
import { shorter } from './shorter-types/shorter.ts'
import { entryPoints, longTypes, type Manifest } from './workspace.ts'

const project = process.cwd()
const manifest: Manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
mkdirSync(join(project, longTypes), { recursive: true })

const rolledUp = entryPoints({ manifest }).map(({ name, types }) => {
  const target = join(project, types)
  const made = join(project, longTypes, `${name}.d.ts`)
  rollUp(target, made)
  return { text: readFileSync(made, 'utf8'), target }
})
for (const file of globSync('dist/**/*.d.ts')) rmSync(file)
for (const directory of globSync('dist/*/')) rmSync(directory, { recursive: true })
const [first] = rolledUp
for (const each of rolledUp) {
  const own = first === undefined || each === first ? each.text : reused(each.text, first.text)
  writeFileSync(each.target, shorter(shared(own)))
}

function rollUp(declarations: string, made: string): void {
  const silent = { default: { logLevel: ExtractorLogLevel.None } }
  const config = extractorConfig(project, declarations, {
    apiReport: { enabled: false },
    dtsRollup: { enabled: true, untrimmedFilePath: made },
    messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
  })
  const { succeeded } = Extractor.invoke(config, {
    messageCallback: (message) => {
      message.handled = true
      if (message.logLevel === ExtractorLogLevel.Error) console.error(message.text)
    },
  })
  if (!succeeded) throw new Error(`the declarations of ${declarations} cannot be put into one file`)
}
