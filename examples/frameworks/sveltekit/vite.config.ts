import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  // The gateway and returning browsers post forms from other origins, which SvelteKit would refuse. See src/hooks.server.ts.
  plugins: [sveltekit({ adapter: adapter(), csrf: { trustedOrigins: ['*'] } })],
})
