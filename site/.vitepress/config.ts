import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import { SEARCH } from '../../scripts/docs/search.ts'

const { sidebar } = JSON.parse(readFileSync(new URL('../.pages/site.json', import.meta.url), 'utf8'))

/** As GitHub makes them, so that an address of a heading is the same in both places. */
const slugify = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

export default defineConfig({
  title: 'tallystick',
  description: 'Both halves of a payment interface: a client for shops, and the gateway',
  lang: 'en',
  base: '/tallystick/',
  srcDir: '.pages',
  outDir: 'dist',
  cleanUrls: false,
  metaChunk: true,
  // Where the network is shown, the playground has to show that it asks for nothing.
  router: { prefetchLinks: false },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    toc: { slugify } as never,
    headers: { slugify } as never,
  },
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Start', link: '/guides/first-payment-express' },
      { text: 'Recipes', link: '/recipes/' },
      { text: 'Errors', link: '/errors/' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Playground', link: '/playground' },
    ],
    outline: [2, 3],
    search: {
      provider: 'local',
      options: { miniSearch: { options: { processTerm: SEARCH.processTerm }, searchOptions: SEARCH.searchOptions } },
    },
    editLink: {
      pattern: ({ frontmatter }) => `https://github.com/tallystick/tallystick/edit/main/${frontmatter['source']}`,
      text: 'Edit this page',
    },
    socialLinks: [{ icon: 'github', link: 'https://github.com/tallystick/tallystick' }],
  },
})
