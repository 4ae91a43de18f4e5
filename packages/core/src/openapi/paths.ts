import { defineProfile, type Operation, type Profile } from '@tallystick/core'
import { REPLY_MEDIA_TYPES } from '@tallystick/core/internal'
import { authenticationOf } from './authentication.ts'
import {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiPathParameter,
  type OpenApiResponse,
  schemaReference,
} from './document.ts'

const JSON_REPLY = REPLY_MEDIA_TYPES.json

/** OpenAPI ignores header parameters named Accept, so the rule can only be described (interface part 4). */
const ACCEPT_RULE = `The request header \`Accept: ${JSON_REPLY}\` is required.`

/** Responses that all operations share (interface parts 4 and 7). */
export const responses: Readonly<Record<string, OpenApiResponse>> = {
  ValidationError: reply('The request was refused; nothing was created.', 'ValidationErrorResponse'),
  Forbidden: { description: 'The signature is bad. The specification does not state the form of the body.' },
  ServerError: reply('The gateway failed; ask for the status.', 'ServerErrorResponse'),
}

function reply(description: string, schema: string): OpenApiResponse {
  return { description, content: { [JSON_REPLY]: { schema: schemaReference(schema) } } }
}

/** Every path of an operation: under each of its names, for an endpoint and, if possible, for a group. */
export function pathsOf(key: string, operation: Operation, profile: Profile): OpenApiDocument['paths'] {
  const names = [operation.path, ...operation.otherPaths]
  return Object.fromEntries(
    names.flatMap((path, position) => {
      const operationId = position === 0 ? key : idOfOther(path, key)
      const brand = key === 'payoutForm' ? brandAt(path as Profile['payoutFormPath'], profile) : profile
      const single = [`${path}/{endpointId}`, post(operationId, operation, 'endpointId', brand)] as const
      if (operation.groupAddress !== 'segment') return [single]
      const group = post(`${operationId}ByGroup`, operation, 'endpointGroupId', brand)
      return [single, [`${path}/group/{endpointGroupId}`, group] as const]
    }),
  )
}

/** By the last name of another path, and by its version as well if that name is the operation's own. */
function idOfOther(path: string, key: string): string {
  const [, version = '', name = ''] = /\/(v\d)\/([^/]+)$/.exec(path) ?? []
  const id = camelCase(name)
  return id === key ? `${id}${version.toUpperCase()}` : id
}

/** Under a path of payout-form that is not the profile's own, the method is the default there (gaps part 12, C5). */
function brandAt(payoutFormPath: Profile['payoutFormPath'], profile: Profile): Profile {
  if (payoutFormPath === profile.payoutFormPath) return profile
  const { payoutFormMethod } = defineProfile({ baseUrl: profile.baseUrl, payoutFormPath })
  return { ...profile, payoutFormMethod }
}

function camelCase(kebab: string): string {
  return kebab.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}

function post(
  operationId: string,
  operation: Operation,
  parameter: OpenApiPathParameter['name'],
  profile: Profile,
): { readonly post: OpenApiOperation } {
  const { security, bodySchema, extensions, sentence } = authenticationOf(operation, profile)
  const request = schemaReference(operation.request.name)
  const schema = bodySchema === undefined ? request : { allOf: [request, schemaReference(bodySchema)] }
  return {
    post: {
      operationId,
      summary: operation.meaning,
      description: `${operation.meaning} ${ACCEPT_RULE} ${sentence}`,
      tags: [tagOf(operation)],
      security,
      parameters: [pathParameter(parameter, operation)],
      requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema } } },
      responses: responsesOf(operation),
      'x-tallystick-operation': operation.name,
      'x-tallystick-effect': operation.effect,
      ...extensions,
    },
  }
}

function responsesOf(operation: Operation): OpenApiOperation['responses'] {
  return {
    '200': reply(operation.reply.meaning, operation.reply.name),
    '400': { $ref: '#/components/responses/ValidationError' },
    '403': { $ref: '#/components/responses/Forbidden' },
    '500': { $ref: '#/components/responses/ServerError' },
  }
}

function pathParameter(name: OpenApiPathParameter['name'], { groupAddress }: Operation): OpenApiPathParameter {
  const bareGroup = groupAddress === 'bare' ? ', or the group of endpoints,' : ''
  const subject = name === 'endpointId' ? `The endpoint${bareGroup}` : 'The group of endpoints'
  return {
    name,
    in: 'path',
    required: true,
    description: `${subject} that takes the request. Keep the id as text: a float loses digits of an int64.`,
    schema: { type: 'integer', format: 'int64', minimum: 1 },
  }
}

/** The version in the path: `v2` of `/api/v2/sale`, `3ds/v1` of the uploads. */
export function tagOf({ path }: Operation): string {
  return path.replace(/^\/api\/((?:3ds\/)?v\d+)\/.*$/, '$1')
}
