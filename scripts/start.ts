// What `npm start` runs after bootstrap: builds the packages, then plays the journey of the example shop.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readOptions } from '../examples/express-shop/src/options.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const main = fileURLToPath(new URL('../examples/express-shop/src/main.ts', import.meta.url))

// What is wrong with the command line shows before anything is built.
readOptions(process.argv.slice(2))
console.error('start: building the packages')
const build = spawnSync('turbo', ['run', 'build', '--output-logs=errors-only'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32',
})
if (build.status !== 0) {
  console.error('start: the build failed; run `pnpm build` to see why')
  process.exit(1)
}

await import(main)
