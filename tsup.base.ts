import { defineConfig, type Options } from 'tsup'
import { withConstants } from './scripts/constants.ts'

/** As maps in `dist` name it. */
const OWN_SOURCE = /^(?:\.\.\/)+src\//

/** JavaScript only: the declarations come from `tsc -p tsconfig.build.json`. */
export const settings = {
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  dts: false,
  clean: true,
  sourcemap: true,
  external: [/^node:/, /^@tallystick\/(?!durable\/)/],
  noExternal: [/^@tallystick\/durable\//],
  plugins: [
    { name: 'constants', renderChunk: (code, { map }) => ({ code: withConstants(code), map: map ?? null }) },
    {
      // The sources of a package are shipped beside its maps, which need to carry only what it contains of another. After all
      // others: tsup combines the map that a plugin returns with the one before.
      name: 'sources',
      renderChunk: (_code, chunk) => {
        const map = typeof chunk.map === 'string' ? JSON.parse(chunk.map) : chunk.map
        for (const [at, source] of map?.sources.entries() ?? []) {
          if (OWN_SOURCE.test(source)) map.sourcesContent[at] = null
        }
        chunk.map = map
      },
    },
  ],
} satisfies Options

export default defineConfig(settings)
