import { MalformedFormError } from '../errors/malformed-form-error.ts'
import { isBlank } from '../models/blank.ts'
import type { Model } from '../models/model.ts'
import type { Profile } from '../profile/profile.ts'
import type { Pair } from './form.ts'
import { singleValues } from './form.ts'
import { nameFinder } from './name-finder.ts'

/** The texts of a model by its own names, and undocumented ones by their wire names. */
export interface NamedTexts {
  readonly known: Readonly<Record<string, string>>
  readonly extra: ReadonlyMap<string, string>
}

/**
 * Sorts what arrived by the names of the model. A field may come under its wire name or an alias; under two of them
 * only with the same value. A blank value counts as absent (gaps part 2.4).
 *
 * @throws MalformedFormError `repeated-name`
 */
export function nameTexts(model: Model, pairs: readonly Pair[], profile?: Profile): NamedTexts {
  const spelling = model.spelling(profile?.wireNames)
  const nameOf = nameFinder(spelling)
  const known: Record<string, string> = {}
  let extra: Map<string, string> | undefined
  for (const [wireName, text] of pairs) {
    const name = nameOf(wireName)
    if (name === undefined) {
      if (extra?.has(wireName)) return mergeTexts(spelling.read, pairs)
      extra ??= new Map()
      extra.set(wireName, text)
    } else if (known[name] === undefined) known[name] = text
    else return mergeTexts(spelling.read, pairs)
  }
  return { known, extra: extra ?? NO_EXTRA }
}

const NO_EXTRA: ReadonlyMap<string, string> = new Map()

/** The same for a form that gives a field twice, as callbacks do with the merchant's order id. */
function mergeTexts(names: ReadonlyMap<string, string>, pairs: readonly Pair[]): NamedTexts {
  const known: Record<string, string> = {}
  const extra = new Map<string, string>()
  for (const [wireName, text] of singleValues(pairs)) {
    const name = names.get(wireName)
    if (name === undefined) extra.set(wireName, text)
    else if (isBlank(known[name]) || known[name] === text) known[name] = text
    else if (!isBlank(text)) throw repeatedUnderAlias(name, wireName)
  }
  return { known, extra }
}

/** The same in one record, for `parseModel`. */
export function valuesOf(model: Model, pairs: readonly Pair[], profile?: Profile): Readonly<Record<string, unknown>> {
  const { known, extra } = nameTexts(model, pairs, profile)
  return extra.size > 0 ? { ...known, extra: Object.fromEntries(extra) } : known
}

function repeatedUnderAlias(name: string, wireName: string): MalformedFormError {
  return new MalformedFormError(
    'repeated-name',
    `The form gives ${name} twice with different values, once as ${wireName}; send it once.`,
  )
}
