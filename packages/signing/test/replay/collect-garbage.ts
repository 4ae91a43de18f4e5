import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Frees everything that is not referenced. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}
