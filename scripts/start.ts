// What `npm start` runs after bootstrap: builds the packages, then plays the journey of an example shop.
import { spawnSync } from 'node:child_process'
import { readOptions } from '../examples/shop-kit/src/options.ts'
import { root } from './workspace.ts'

/** The example shops, by their framework. */
const SHOPS = {
  express: '../examples/express-shop/src/main.ts',
  nest: '../examples/nest-shop/src/main.ts',
}

// Reports a wrong command line before anything is built.
const { framework } = readOptions(process.argv.slice(2))
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

await import(new URL(SHOPS[framework], import.meta.url).href)
