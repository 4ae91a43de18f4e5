/** A relative link of a Markdown text: to a file, to a heading, or to both. */
export interface Link {
  /** Counted from 1. */
  readonly line: number
  /** Before the `#`; empty for a heading of the same file. */
  readonly path: string
  /** Behind the `#`. */
  readonly anchor: string | undefined
}

const TARGET = /\]\(([^)\s]+)\)/g
/** `https:`, `mailto:` */
const ELSEWHERE = /^[a-z]+:/i
const CODE = /`[^`]*`/g
const HEADING = /^#+ +(.*)$/

/** Every relative link, outside of code. */
export function findLinks(markdown: string): readonly Link[] {
  return linesOfProse(markdown).flatMap(({ line, text }) =>
    [...text.replaceAll(CODE, '').matchAll(TARGET)].flatMap(([, target = '']) => {
      if (ELSEWHERE.test(target)) return []
      const [path = '', anchor] = target.split('#')
      return { line, path, anchor }
    }),
  )
}

/** The anchors of the headings as GitHub makes them: a heading that comes again is numbered. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const { text } of linesOfProse(markdown)) {
    const heading = HEADING.exec(text)?.[1]
    if (heading === undefined) continue
    const slug = slugOf(heading)
    let anchor = slug
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${slug}-${copy}`
    anchors.add(anchor)
  }
  return anchors
}

function slugOf(heading: string): string {
  const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim()
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** All lines but those of fenced code. */
function linesOfProse(markdown: string): readonly { readonly line: number; readonly text: string }[] {
  let isCode = false
  return markdown.split(/\r?\n/).flatMap((text, index) => {
    const isFence = /^ *```/.test(text)
    if (isFence) isCode = !isCode
    return isCode || isFence ? [] : { line: index + 1, text }
  })
}
