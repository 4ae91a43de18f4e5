import type { Model, Profile } from '@tallystick/core'
import type { ModelField, Origin, TextSchema } from '@tallystick/core/internal'

/** The part of OpenAPI 3.1 that the interface needs, and the extensions that name the origin of each part. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: OpenApiInfo
  readonly servers: readonly [{ readonly url: string }]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, { readonly post: OpenApiOperation }>>
  readonly components: OpenApiComponents
}

export interface OpenApiInfo {
  readonly title: string
  /** The specification's label of its machine-readable description (part 9). */
  readonly version: 'dev'
  readonly description: string
  readonly license: { readonly name: string; readonly identifier: string }
}

export interface OpenApiOperation {
  /** The operation's key in the catalogue, with a suffix if the path is another way to the same operation. */
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly [string]
  /** No requirement (`[]`) for a control: it is a field of the body, which OpenAPI has no scheme for. */
  readonly security: readonly Readonly<Record<string, readonly []>>[]
  readonly parameters: readonly [OpenApiPathParameter]
  readonly requestBody: {
    readonly required: true
    readonly content: Readonly<Record<string, { readonly schema: OpenApiBodySchema }>>
  }
  readonly responses: Readonly<Record<'200' | '400' | '403' | '500', OpenApiResponse | OpenApiReference>>
  /** The specification's name of the operation, such as `SALE`. */
  readonly 'x-tallystick-operation': string
  readonly 'x-tallystick-effect': string
  /** The terms of the control with the key last, by wire names. Absent for OAuth. */
  readonly 'x-tallystick-control'?: string
  /** Whether the specification states the authentication: `stated` or `filled in`. */
  readonly 'x-tallystick-auth-origin': string
}

export interface OpenApiReference {
  readonly $ref: string
}

export interface OpenApiPathParameter {
  readonly name: 'endpointId' | 'endpointGroupId'
  readonly in: 'path'
  readonly required: true
  readonly description: string
  readonly schema: { readonly type: 'integer'; readonly format: 'int64'; readonly minimum: 1 }
}

/** The request's own fields and those of its authentication, each declared once. */
export type OpenApiBodySchema = OpenApiReference | { readonly allOf: readonly OpenApiReference[] }

export interface OpenApiResponse {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: OpenApiReference }>>
}

export interface OpenApiComponents {
  readonly schemas: Readonly<Record<string, OpenApiSchema>>
  readonly responses: Readonly<Record<string, OpenApiResponse>>
  readonly securitySchemes: Readonly<Record<string, OpenApiSecurityScheme>>
}

export interface OpenApiSchema {
  readonly type: 'object'
  readonly description: string
  readonly required?: readonly string[]
  readonly properties: Readonly<Record<string, OpenApiProperty>>
  readonly 'x-tallystick-origin': string
}

/** A field by its wire name. */
export interface OpenApiProperty extends TextSchema {
  readonly description: string
  /** The field's name in the models, in camelCase. */
  readonly 'x-tallystick-name'?: string
  /** `stated, part 2; bounds filled in, part 3.1`. */
  readonly 'x-tallystick-origin': string
  /** When a conditional field is required: completes "required ...". */
  readonly 'x-tallystick-required'?: string
  /** Other spellings that are read. */
  readonly 'x-tallystick-aliases'?: readonly string[]
}

export interface OpenApiSecurityScheme {
  readonly type: 'http'
  readonly scheme: 'OAuth'
  readonly description: string
}

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
