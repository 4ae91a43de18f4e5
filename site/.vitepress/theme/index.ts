import Theme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { version } from '../../.pages/site.json'
import './style.css'

const BANNER =
  version === '0.0.0'
    ? 'Before the first release: this is the main branch.'
    : `This is the documentation of version ${version}.`

export default {
  extends: Theme,
  Layout: () =>
    h(Theme.Layout, null, { 'doc-before': () => h('aside', { class: 'version', 'aria-label': 'Version' }, BANNER) }),
}
