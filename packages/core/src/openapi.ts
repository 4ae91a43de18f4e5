import { catalogue, defineProfile, type Operation, operationKeys, type Profile } from '@tallystick/core'
import { ServerErrorResponse, ValidationErrorResponse } from '@tallystick/core/internal'
import { authenticationSchemas, securitySchemes } from './openapi/authentication.ts'
import { modelSchema, type OpenApiDocument, type OpenApiSchema } from './openapi/document.ts'
import { pathsOf, responses, tagOf } from './openapi/paths.ts'

export type { OpenApiDocument } from './openapi/document.ts'

const operations = operationKeys.map((key): readonly [string, Operation] => [key, catalogue[key]])

const INFO: OpenApiDocument['info'] = {
  title: 'Payment processing service: server-to-server interface',
  version: 'dev',
  description:
    'Generated from the catalogue of @tallystick/core. `x-tallystick-origin` tells what the specification states from ' +
    'what was filled in from public sources. Ids, amounts and codes in replies may come as JSON numbers; read them as text.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

/**
 * The interface as an OpenAPI 3.1 document, generated from the catalogue: the same document for the same profile.
 *
 * @param profile the brand to describe: its server, wire names and signatures. Without one, the specification's, on a
 *   server relative to where the document is served.
 */
export function openApiDocument(profile?: Profile): OpenApiDocument {
  const brand = profile ?? defineProfile({ baseUrl: 'http://localhost' })
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: profile?.baseUrl ?? '/' }],
    tags: tags(),
    paths: Object.assign({}, ...operations.map(([key, operation]) => pathsOf(key, operation, brand))),
    components: { schemas: { ...schemas(brand), ...authenticationSchemas(brand) }, responses, securitySchemes },
  }
}

function schemas(profile: Profile): Readonly<Record<string, OpenApiSchema>> {
  const used = operations.flatMap(([, { request, reply }]) => [request, reply])
  const models = [...used, ValidationErrorResponse, ServerErrorResponse]
  return Object.fromEntries(models.map((model) => [model.name, modelSchema(model, profile)]))
}

function tags(): OpenApiDocument['tags'] {
  const names = new Set(operations.map(([, operation]) => tagOf(operation)))
  return [...names].map((name) => ({ name, description: `Operations under /api/${name}.` }))
}
