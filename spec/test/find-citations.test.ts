import { expect, test } from 'vitest'
import { citedIn } from '../find-citations.ts'

/** Built from parts, so that this file itself cites nothing. */
const cite = (id: string) => `[${id}]`

test('finds every id in the title of a test', () => {
  expect(citedIn('a.test.ts', `test('${cite('S4-03')} ${cite('G3.1-07')} holds', () => {})`)).toEqual([
    'S4-03',
    'G3.1-07',
  ])
})

test('finds ids in titles that are data or templates', () => {
  const source = `test.for([['${cite('S4-03')} sale']])('%s', run)\ntest(\`${cite('S4-04')} \${name}\`, run)`
  expect(citedIn('a.test.ts', source)).toEqual(['S4-03', 'S4-04'])
})

test('a comment cites nothing', () => {
  expect(citedIn('a.test.ts', `// test('${cite('S4-03')} holds', run)\n/* ${cite('S4-04')} */`)).toEqual([])
})
