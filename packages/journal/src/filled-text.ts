import type { Kind } from '@tallystick/core'

/** A text in which there is something. */
export function filledText(such: string): Kind {
  return { wanted: `a text, such as ${such}`, isRight: (value) => typeof value === 'string' && value.trim() !== '' }
}
