import type { Kind } from '@tallystick/core'

/** The kind of a text that is not blank. */
export function filledText(such: string): Kind {
  return { wanted: `a text, such as ${such}`, isRight: (value) => typeof value === 'string' && value.trim() !== '' }
}
