import { expect, test } from 'vitest'
import { atItsLine, findFences, isRun, sectionOf } from '../readme/fences.ts'

const markdown = `# Title

\`\`\`ts
const a = 1
\`\`\`

\`\`\`sh
npm i
\`\`\`

- in a list:

  \`\`\`ts
  // not run
  const b = 2
  \`\`\`
`

test('finds the TypeScript fences with their lines, and no others', () => {
  expect(findFences(markdown)).toMatchObject([
    { line: 3, code: 'const a = 1' },
    { line: 13, code: '// not run\nconst b = 2' },
  ])
})

test('a fence that begins with "not run" is not run', () => {
  expect(findFences(markdown).map(isRun)).toMatchObject([true, false])
})

test('the code keeps the lines that it has in the README', () => {
  expect(findFences(markdown).map(atItsLine)[0]?.split('\n')[3]).toBe(markdown.split('\n')[3])
})

test('a fence that is never closed extends to the end, so that it is not lost', () => {
  expect(findFences('```ts\nconst a = 1')).toMatchObject([{ line: 1, code: 'const a = 1' }])
})

test('fences of another language are found when they are asked for', () => {
  expect(findFences(markdown, 'sh').map(({ code }) => code)).toMatchObject(['npm i'])
})

test('a section ends at the next heading, and a heading that is not there is an error', () => {
  expect(sectionOf('# A\n## B\nb\n## C\nc', '## B')).toBe('b\n')
  expect(() => sectionOf('# A', '## B')).toThrow('there is no heading "## B"')
})
