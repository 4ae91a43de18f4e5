/**
 * Lints the imports of every package that users get against the dependency table (`scripts/dependencies/table.ts`) and the order of
 * its folders (`layers.ts`). Where a file may read the clock, randomness and the like is a rule of `biome.json`.
 *
 *     node scripts/check-dependencies.ts
 */
import { checkPackage } from './dependencies/check-package.ts'
import { shippedPackages } from './workspace.ts'

const breaches = shippedPackages().flatMap((each) =>
  checkPackage(each, 'src').map(({ path, line, message }) => `packages/${each.folder}/${path}:${line} ${message}`),
)

for (const breach of breaches) console.error(breach)
if (breaches.length > 0) {
  console.error('\nThe table is scripts/dependencies/table.ts; a new dependency also needs a row in docs/decisions.')
  process.exitCode = 1
}
