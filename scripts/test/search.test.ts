import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { QUESTIONS } from '../docs/questions.ts'
import { answersOf, SEARCH } from '../docs/search.ts'
import { sitePages } from '../docs/site.ts'
import { anchorsOf } from '../readme/links.ts'

const { pages, sidebar } = sitePages([])
const questions = Object.values(QUESTIONS).flat()

/** The sections of a page, each with the titles above it, as the site's search has them. */
const sections = pages.flatMap(({ path, text }) => {
  const anchors = [...anchorsOf(text)].values()
  const titles: string[] = []
  const parts = text.replaceAll(/^( *```)[\s\S]*?^\1/gm, (code) => code.replaceAll(/^#/gm, ' #')).split(/^(?=#+ )/m)
  return parts.flatMap((part) => {
    const [, level = '', title = ''] = /^(#+) +(.*)$/m.exec(part) ?? []
    if (level === '') return []
    titles.splice(level.length - 1, titles.length, title)
    const id = `/${path.replace(/index\.md$/, '').replace(/\.md$/, '')}#${anchors.next().value}`
    return {
      id,
      title,
      titles: titles.slice(0, -1).filter((one) => one !== undefined),
      text: part.slice(part.indexOf('\n')),
    }
  })
})

test('at least 47 of 50 questions of users are answered among the first three results', () => {
  const index = new MiniSearch(SEARCH)
  index.addAll(sections)
  const { unanswered, count } = answersOf(questions, (words) => index.search(words).map(({ id }) => id))
  expect(questions).toHaveLength(50)
  expect(unanswered.length).toBeLessThanOrEqual(3)
  expect(count).toBe(50 - unanswered.length)
})

test('there are ten questions of each kind, no two alike, and their pages exist', () => {
  expect(Object.values(QUESTIONS).map((kind) => kind.length)).toEqual([10, 10, 10, 10, 10])
  expect(new Set(questions.map(({ words }) => words)).size).toBe(50)
  const places = new Set(sections.flatMap(({ id }) => [id.slice(1), id.slice(1).replace(/\/?#.*/, '')]))
  expect(questions.flatMap(({ right }) => right).filter((place) => place !== 'index' && !places.has(place))).toEqual([])
})

test('each page is in the sidebar once, and has a title', () => {
  const links = sidebar.flatMap(({ items }) => items.map(({ link }) => link))
  const others = pages.filter(({ path }) => path !== 'index.md')
  expect(links.toSorted()).toEqual(others.map(({ path }) => `/${path.replace(/(?:index)?\.md$/, '')}`).sort())
  expect(pages.filter(({ title }) => title === '')).toEqual([])
})
