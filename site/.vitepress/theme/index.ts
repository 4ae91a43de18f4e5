import Theme from 'vitepress/theme-without-fonts'
import { type App, h } from 'vue'
import { version } from '../../.pages/site.json'
import { Playground } from './playground.ts'
import './style.css'

const BANNER =
  version === '0.0.0'
    ? 'Before the first release: this is the main branch.'
    : `This is the documentation of version ${version}.`

export default {
  extends: Theme,
  Layout: () =>
    h(Theme.Layout, null, { 'doc-before': () => h('aside', { class: 'version', 'aria-label': 'Version' }, BANNER) }),
  enhanceApp: ({ app }: { readonly app: App }) => {
    app.component('Playground', Playground)
  },
}
