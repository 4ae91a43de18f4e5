import { BASE_STRING_START } from '../../src/oauth/fast-base-string.ts'
import type { ScratchBuffer } from '../../src/oauth/scratch-buffer.ts'

/** The text of a base string. */
export function textOf({ bytes, end }: ScratchBuffer): string {
  return bytes.toString('latin1', BASE_STRING_START, end)
}
