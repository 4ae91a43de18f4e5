import type { Question } from './questions.ts'

/**
 * How the site searches, for `site/.vitepress/config.ts` and the check of it. The functions are sent to the browser as text, so each
 * has in it whatever it needs.
 */
export const SEARCH = {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  /** Leaves out words that say nothing about what is wanted. */
  processTerm: (term: string): string | null => {
    const empty =
      ' a an and are as at be by can do does for from how i if in is it its me my of on or the there this to what when where which who why with without you your '
    return empty.includes(` ${term.toLowerCase()} `) ? null : term.toLowerCase()
  },
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    boost: { title: 4, text: 2, titles: 1 },
    /** Answers come before lists of names and figures. */
    boostDocument: (id: string): number => {
      if (/\/(?:recipes|errors)\//.test(id)) return 1.5
      if (id.includes('/api/')) return 0.2
      return /\/(?:proofs|performance|decisions)/.test(id) ? 0.4 : 1
    },
  },
}

/** How many questions have a right page among the first three that a search finds, and what the others found instead. */
export function answersOf(questions: readonly Question[], search: (words: string) => readonly string[]) {
  const asked = questions.map(({ words, right }) => {
    const found = search(words)
      .slice(0, 3)
      .map((id) => id.replace(/^\/(?:tallystick\/)?/, '').replace('.html', ''))
    const isAnswered = found.some((id) => right.includes(id) || right.includes(id.replace(/\/?#.*/, '')))
    return { line: `${words}: ${found.join(', ')}`, isAnswered }
  })
  return {
    count: asked.filter(({ isAnswered }) => isAnswered).length,
    unanswered: asked.filter(({ isAnswered }) => !isAnswered).map(({ line }) => line),
  }
}
