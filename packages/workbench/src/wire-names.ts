import { catalogue } from '@tallystick/core'

/** What a test needs of the catalogue, which is too large for the page. */
export interface WireNames {
  /** The names of the models by those in a form. No two fields share one. */
  readonly models: Readonly<Record<string, string>>
  /** The fields that are true or false. */
  readonly flags: readonly string[]
}

export function wireNames(): WireNames {
  const models: Record<string, string> = {}
  const flags = new Set<string>()
  for (const { request } of Object.values(catalogue)) {
    for (const [wireName, name] of request.spelling(undefined).read) models[wireName] = name
    for (const [name, { format }] of Object.entries(request.fields)) {
      if (format.wire.enum?.includes('true') === true) flags.add(name)
    }
  }
  return { models, flags: [...flags] }
}
