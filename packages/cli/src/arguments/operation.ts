import { catalogue, nearestName, type OperationKey, operationKeys } from '@tallystick/core'
import { UsageError } from '../usage-error.ts'

/** The operation that a word means: `saleForm`, `sale-form` and `SALEFORM` are one. @throws UsageError */
export function operationOf(word: string): OperationKey {
  const key = operationKeys.find((each) => plain(each) === plain(word) || plain(catalogue[each].name) === plain(word))
  if (key !== undefined) return key
  const near = nearestName(word, operationKeys)
  const hint = near === undefined ? 'see tallystick sign --help' : `did you mean ${near}?`
  throw new UsageError(`there is no operation ${word}: ${hint}`)
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}
