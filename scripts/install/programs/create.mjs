import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// What is not on the registry yet comes from the same archives as in this project.
const { overrides } = JSON.parse(readFileSync('package.json', 'utf8'))
const { POSTGRES_URL, MARIADB_URL } = process.env
const shops = [['express', 'postgres', POSTGRES_URL], ...(MARIADB_URL ? [['fastify', 'mysql', MARIADB_URL]] : [])]
for (const [framework, database, DATABASE_URL] of shops) {
  const folder = `${framework}-shop`
  const command = join('node_modules', '.bin', 'create-tallystick')
  execFileSync(command, [folder, '--framework', framework, '--database', database])
  const path = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  const fromArchives = (dependencies) =>
    Object.fromEntries(Object.entries(dependencies).map(([name, version]) => [name, overrides[name] ?? version]))
  const { dependencies, devDependencies } = manifest
  const changed = {
    dependencies: fromArchives(dependencies),
    devDependencies: fromArchives(devDependencies),
    overrides,
  }
  writeFileSync(path, JSON.stringify({ ...manifest, ...changed }))
  const npm = (...args) => {
    try {
      execFileSync('npm', args, { cwd: folder, env: { ...process.env, DATABASE_URL }, stdio: 'pipe', timeout: 120_000 })
    } catch (error) {
      throw new Error(`npm ${args.join(' ')} failed in ${folder}\n${error.stdout}${error.stderr}`)
    }
  }
  npm('install', '--no-audit', '--no-fund', '--prefer-offline')
  npm('run', 'typecheck')
  npm('test')
}
