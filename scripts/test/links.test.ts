import { describe, expect, test } from 'vitest'
import { anchorsOf, findLinks } from '../readme/links.ts'

const markdown = `# Title

See [the guide](docs/guide.md#first-steps), [below](#below) and
[a site](https://example.com/a.md#b), <https://example.com>, \`[not](a-link.md)\`.

\`\`\`md
[not](either.md)
# Not a heading
\`\`\`

- ![an image](images/a.png)
`

test('finds the relative links with their lines, and none in code', () => {
  expect(findLinks(markdown)).toEqual([
    { line: 3, path: 'docs/guide.md', anchor: 'first-steps' },
    { line: 3, path: '', anchor: 'below' },
    { line: 11, path: 'images/a.png', anchor: undefined },
  ])
})

describe('the anchor of a heading', () => {
  // The anchors as GitHub makes them.
  test.each([
    ['## First steps', 'first-steps'],
    ['### `journal.pay`, and what it returns', 'journalpay-and-what-it-returns'],
    ['## What to do about `unknown`', 'what-to-do-about-unknown'],
    ['## With `Request` and `Response`', 'with-request-and-response'],
    ['## 3-D Secure: who asks?', '3-d-secure-who-asks'],
    ['## Größe & Gewicht', 'größe--gewicht'],
    ['## [A link](a.md) in it', 'a-link-in-it'],
    ['## snake_case', 'snake_case'],
  ])('%s', (heading, anchor) => {
    expect([...anchorsOf(heading)]).toEqual([anchor])
  })

  test('is numbered if the heading is repeated', () => {
    expect([...anchorsOf('## Options\n\n## Options\n\n## Options')]).toEqual(['options', 'options-1', 'options-2'])
  })

  test('is not made from a comment in code', () => {
    expect([...anchorsOf(markdown)]).toEqual(['title'])
  })
})
