/** Prints a journey line by line, and counts what came out wrong. */
export interface Story {
  /** Something that was done. */
  tell(line: string): void
  /** Something that has to be so. */
  check(line: string, isRight: boolean): void
}

/** Plays a part without printing. */
export const SILENT: Story = { tell: () => {}, check: () => {} }

/** A part of the journey: one family of operations. */
export interface Chapter {
  readonly title: string
  readonly wrong: number
}

/** Plays one part. If it throws, that counts as one more thing that came out wrong. */
export async function playChapter(
  title: string,
  print: (line: string) => void,
  play: (story: Story) => Promise<void>,
): Promise<Chapter> {
  let wrong = 0
  print(`\n${title}`)
  const story: Story = {
    tell: (line) => print(`   · ${line}`),
    check: (line, isRight) => {
      print(`   ${isRight ? '✓' : '✗ WRONG:'} ${line}`)
      if (!isRight) wrong += 1
    },
  }
  try {
    await play(story)
  } catch (error) {
    story.check(error instanceof Error ? error.message : String(error), false)
  }
  return { title, wrong }
}
