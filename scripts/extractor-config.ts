import { join } from 'node:path'
import { ExtractorConfig, type IConfigFile } from '@microsoft/api-extractor'

/**
 * Reads the declarations of an entry point as a user's compiler does: without the source condition, so that those of other
 * packages are the built ones.
 */
export function extractorConfig(
  project: string,
  declarations: string,
  wanted: Pick<IConfigFile, 'apiReport' | 'dtsRollup' | 'messages'>,
): ExtractorConfig {
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true, skipLibCheck: true, types: ['node'] }
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(project, 'package.json'),
    configObject: {
      projectFolder: project,
      mainEntryPointFilePath: declarations,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [declarations] } },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      ...wanted,
    },
  })
}
