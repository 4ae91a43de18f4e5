/** References to our specification are for people who change the code, who have the sources. Standards are for everyone. */
const ORIGIN = / \((?:gaps|specification|interface) parts? [^)]*\)/g
const STANDARD = /\{@link https:[^}]+\}/

/** The beginning of a tag, of a list item or of a line of a sample. */
const BEGINNING = /^(?:@|- | {4})/

/** A doc comment with each paragraph on one line. Editors show it the same. A sample needs the asterisks. */
export function shorterComment(comment: string): string {
  const text = comment.slice('/**'.length, -'*/'.length).replace(ORIGIN, '')
  const paragraphs = joined(text.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trimEnd()))
  const shown = paragraphs.flatMap((each) => (each.startsWith('@see ') ? standardOf(each) : each))
  const hasSample = shown.some((each) => each.startsWith('    '))
  const written = shown.slice(0, shown.findLastIndex((each) => each !== '') + 1)
  return `/**${written.join(hasSample ? '\n * ' : '\n')}*/`
}

/** Joins the lines of each paragraph, and leaves one empty line between paragraphs. */
function joined(lines: readonly string[]): readonly string[] {
  const paragraphs: string[] = []
  for (const line of lines) {
    const last = paragraphs.at(-1) ?? ''
    const goesOn = line !== '' && last !== '' && !BEGINNING.test(line) && !last.startsWith('    ')
    if (goesOn) paragraphs[paragraphs.length - 1] = `${last} ${line.trim()}`
    else if (line !== '' || last !== '') paragraphs.push(line)
  }
  return paragraphs
}

function standardOf(see: string): readonly string[] {
  const [link] = STANDARD.exec(see) ?? []
  return link === undefined ? [] : [`@see ${link}`]
}
