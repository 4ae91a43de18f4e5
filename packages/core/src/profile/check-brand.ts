import { once } from '../models/once.ts'
import { catalogue } from '../operations/catalogue.ts'
import type { Operation } from '../operations/operation.ts'
import { checkOptions, requireKnown } from '../options/check-options.ts'
import { type Kinds, kind } from '../options/kind.ts'
import { ServerErrorResponse, ValidationErrorResponse } from '../replies/async.ts'
import type { Profile } from './profile.ts'

/** How a brand of gateway differs, whatever its address. */
type Brand = Partial<Omit<Profile, 'baseUrl'>>

const KINDS: Kinds<Brand> = {
  name: kind.text,
  payoutFormPath: pathOf(catalogue.payoutForm),
  payoutFormMethod: kind.oneOf('HMAC-SHA1', 'RSA-SHA256'),
  oauthInBody: kind.flag,
  rebillPath: pathOf(catalogue.makeRebill),
  wireNames: kind.object,
  exponents: kind.oneOf('always-2', 'iso-4217'),
  threeDsMethodWaitSeconds: {
    wanted: 'a number of seconds, 24 days at most',
    // The timer of a browser that cannot wait so long does not wait at all.
    isRight: (value) => typeof value === 'number' && value >= 0 && value <= 24 * 86_400,
  },
  replyFormat: kind.oneOf('json', 'classic'),
  recurringExtensions: kind.flag,
  recurringLogin: kind.flag,
}

function pathOf({ path, otherPaths }: Operation) {
  return kind.oneOf(path, ...otherPaths)
}

const WIRE_NAME = {
  wanted: 'the name on the wire',
  isRight: (value: unknown) => typeof value === 'string' && value !== '',
}

/** Every model that a profile can respell, as the kinds of its fields. */
const KINDS_OF_FIELDS = once(() => {
  const models = Object.values<Operation>(catalogue).flatMap(({ request, reply }) => [request, reply])
  return new Map(
    [...models, ValidationErrorResponse, ServerErrorResponse].map(({ name, fields }) => [
      name,
      Object.fromEntries(Object.keys(fields).map((field) => [field, WIRE_NAME])),
    ]),
  )
})

/**
 * Finds slips in a brand, also in the names of `wireNames`, which no compiler checks.
 *
 * @param where the brand is given: `createGateway: profile`
 * @throws TypeError that names the option, and the one that may have been meant
 */
export function checkBrand(where: string, brand: unknown): void {
  checkOptions(where, brand, KINDS)
  const { wireNames } = brand as Brand
  if (wireNames === undefined) return
  requireKnown(`${where}: wireNames`, wireNames, [...KINDS_OF_FIELDS().keys()])
  for (const [model, names] of Object.entries(wireNames)) {
    checkOptions(`${where}: wireNames: ${model}`, names, KINDS_OF_FIELDS().get(model) ?? {})
  }
}
