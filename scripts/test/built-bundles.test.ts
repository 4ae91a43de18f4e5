import { describe, expect, test } from 'vitest'
import { checkPackage, ruleFor } from '../dependencies/check-package.ts'
import { dependencyTable } from '../dependencies/table.ts'
import { publicPackages } from '../workspace.ts'

const packages = publicPackages()

test('every public package has a row in the dependency table, and every row a package', () => {
  expect(packages.map(({ folder }) => folder).sort()).toEqual(Object.keys(dependencyTable).sort())
})

describe.for(packages.map((each) => [each.manifest.name, each] as const))('%s', ([, each]) => {
  test('imports in its bundles and declarations only what its row allows', () => {
    expect(checkPackage(each, 'dist')).toEqual([])
  })

  test('depends in its manifest only on what its row allows', () => {
    const { dependencies, peerDependencies } = each.manifest
    const allowed = ruleFor(each.folder).packages
    const named = Object.keys({ ...dependencies, ...peerDependencies })
    expect(named.filter((name) => !allowed.includes(name))).toEqual([])
  })
})
