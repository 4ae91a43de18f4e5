import type { Model, ModelField, Origin, Profile } from '@tallystick/core'
import type { OpenApiProperty, OpenApiReference, OpenApiSchema } from './document.ts'

/** The schema of a request or a reply: its fields by the wire names of the profile. */
export function modelSchema(model: Model, profile: Profile): OpenApiSchema {
  const { sent } = model.spelling(profile.wireNames)
  const fields = sent.map(([name, wireName]) => ({ name, field: model.fields[name] as ModelField, wireName }))
  const required = fields.filter(({ field }) => field.necessity === 'required').map(({ wireName }) => wireName)
  return {
    type: 'object',
    description: model.meaning,
    required,
    properties: Object.fromEntries(fields.map(({ name, field, wireName }) => [wireName, property(name, field)])),
    'x-tallystick-origin': model.origin,
  }
}

function property(name: string, { format, meaning, origin, condition, aliases }: ModelField): OpenApiProperty {
  return {
    ...format.wire,
    description: meaning,
    'x-tallystick-name': name,
    'x-tallystick-origin': originText(origin),
    ...(condition === undefined ? {} : { 'x-tallystick-required': condition }),
    ...(aliases.length === 0 ? {} : { 'x-tallystick-aliases': aliases }),
  }
}

/** The origin of a field in words: the part of a stated name is one of `interface.md`, all others are of `gaps.md`. */
function originText({ kind, part, bounds }: Origin): string {
  return kind === 'stated' ? `stated, part ${part}; bounds filled in, part ${bounds}` : `filled in, part ${part}`
}

export function schemaReference(name: string): OpenApiReference {
  return { $ref: `#/components/schemas/${name}` }
}
