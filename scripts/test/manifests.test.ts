import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publicPackages, root } from '../workspace.ts'

// The one place where the address of the repository is decided.
const { repository, bugs, homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const address = homepage.replace('#readme', '')

test('the manifest of the workspace names one repository', () => {
  expect([repository, bugs]).toEqual([{ type: 'git', url: `git+${address}.git` }, `${address}/issues`])
})

test.each(publicPackages())(
  '$manifest.name says where it comes from, where to ask, and what it is',
  ({ folder, manifest, path }) => {
    const directory = `packages/${folder}`
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      homepage: `${address}/tree/main/${directory}#readme`,
      bugs,
      repository: { ...repository, directory },
      publishConfig: { access: 'public' },
      description: expect.stringMatching(/^.{20,140}$/),
      keywords: expect.arrayContaining(['payments', 'tallystick', expect.any(String)]),
    })
    // Who reads it on the registry has the package already.
    expect(readFileSync(join(path, 'README.md'), 'utf8')).not.toMatch(/first release|not (yet )?on the registry/)
  },
)

test('the forms of the repository lead to the same address', () => {
  const forms = readFileSync(join(root, '.github/ISSUE_TEMPLATE/config.yml'), 'utf8')
  const addresses = forms.match(/https:\/\/github\.com\/[^/]+\/[^/\s]+/g)
  expect(new Set(addresses)).toEqual(new Set([address]))
})
