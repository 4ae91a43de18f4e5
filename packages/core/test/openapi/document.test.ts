import { createConfig, lintFromString } from '@redocly/openapi-core'
import { catalogue, defineProfile, type Model, type Operation, operationKeys } from '@tallystick/core'
import { ServerErrorResponse, ValidationErrorResponse } from '@tallystick/core/internal'
import { type OpenApiDocument, openApiDocument } from '@tallystick/core/openapi'
import { describe, expect, test } from 'vitest'

const document = openApiDocument()
const posts = Object.entries(document.paths).map(([path, { post }]) => ({ path, post }))
const operations = operationKeys.map((key): readonly [string, Operation] => [key, catalogue[key]])

function postAt(path: string, within: OpenApiDocument = document) {
  const entry = within.paths[path]
  if (entry === undefined) throw new Error(`no path ${path}`)
  return entry.post
}

async function problemsOf(described: OpenApiDocument) {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' })
  const problems = await lintFromString({ source: JSON.stringify(described), absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, severity, message, location }) => ({
    ruleId,
    severity,
    message,
    at: location[0]?.pointer,
  }))
}

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0')
    expect(await problemsOf(document)).toEqual([])
  })

  test('is valid for a brand too', async () => {
    const brand = defineProfile({
      baseUrl: 'https://gate.tallystick.dev/paynet',
      payoutFormMethod: 'RSA-SHA256',
      oauthInBody: false,
      wireNames: { SaleRequest: { clientOrderId: 'order' } },
    })
    expect(await problemsOf(openApiDocument(brand))).toEqual([])
  })

  test('[G13-26] [S9-02] carries the version label dev', () => {
    expect(document.info.version).toBe('dev')
  })

  test('is the same each time', () => {
    expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(document))
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  test('[S1-01] [G1-01] has the base URL of its profile as server, or a relative one', () => {
    const brand = defineProfile({ baseUrl: 'https://gate.example.com/paynet/' })
    expect(openApiDocument(brand).servers).toEqual([{ url: 'https://gate.example.com/paynet' }])
    expect(document.servers).toEqual([{ url: '/' }])
  })
})

describe('paths', () => {
  test.each(operations)('%s is there, for an endpoint', (key, { path, name }) => {
    const post = postAt(`${path}/{endpointId}`)
    expect(post.operationId).toBe(key)
    expect(post['x-tallystick-operation']).toBe(name)
  })

  test.each(operations)('[G1-02] [G1-03] %s is there for a group, where it has a path of its own', (key, operation) => {
    const group = document.paths[`${operation.path}/group/{endpointGroupId}`]
    expect(group?.post.operationId).toBe(operation.groupAddress === 'segment' ? `${key}ByGroup` : undefined)
  })

  test('[G12-01] make-rebill is there by its other names', () => {
    expect(postAt('/api/v2/make-rebill-sale/{endpointId}').operationId).toBe('makeRebillSale')
    expect(postAt('/api/v2/make-rebill-preauth/group/{endpointGroupId}').operationId).toBe('makeRebillPreauthByGroup')
  })

  test('are 35 for endpoints and 25 for groups, each with an id of its own', () => {
    expect(posts).toHaveLength(60)
    expect(new Set(posts.map(({ post }) => post.operationId)).size).toBe(60)
  })

  test('[S4-01] are for POST alone', () => {
    for (const methods of Object.values(document.paths)) expect(Object.keys(methods)).toEqual(['post'])
  })

  test('[S2-01] [S4-02] [G13-27] end with an id of int64 that is at least 1', () => {
    for (const { path, post } of posts) {
      const [parameter] = post.parameters
      expect(path.endsWith(`/{${parameter.name}}`)).toBe(true)
      expect(parameter).toMatchObject({
        in: 'path',
        required: true,
        schema: { type: 'integer', format: 'int64', minimum: 1 },
      })
      expect(parameter.description).toContain('Keep the id as text')
    }
  })

  test('[S4-03] say that the Accept header is required, because OpenAPI ignores it as a parameter', () => {
    for (const { post } of posts) {
      expect(post.description).toContain('The request header `Accept: application/vnd.pay+json` is required.')
    }
  })
})

describe('requests', () => {
  test.each(operations)('[S4-04] [S4-05] %s requires its form', (_key, { path, request, auth }) => {
    const { requestBody } = postAt(`${path}/{endpointId}`)
    expect(requestBody.required).toBe(true)
    expect(requestBody.content).toEqual({
      'application/x-www-form-urlencoded': {
        schema: {
          allOf: [
            { $ref: `#/components/schemas/${request.name}` },
            { $ref: `#/components/schemas/${auth.scheme === 'control' ? 'Control' : 'OAuthParameters'}` },
          ],
        },
      },
    })
  })

  test('[S5.1-01] [S4-09] an operation with a control requires it in the body and names its formula', () => {
    expect(document.components.schemas['Control']).toMatchObject({
      required: ['control'],
      properties: { control: { type: 'string', pattern: '^[0-9a-fA-F]{40}$' } },
    })
    const { security, description, ...sale } = postAt('/api/v2/sale/{endpointId}')
    expect(security).toEqual([])
    expect(sale['x-tallystick-control']).toBe('endpointId + client_orderid + amount + email + key')
    expect(description).toContain('SHA-1 of endpointId + client_orderid + amount + email + key')
    const upload = postAt('/api/3ds/v1/upload-cres-result/{endpointId}')
    expect(upload['x-tallystick-control']).toBe('login + client-order-id + orderid + key')
  })

  test('[S5.2-13] [S5.2-15] [S4-09] an operation with OAuth names its method as a security scheme', () => {
    expect(postAt('/api/v2/payout/{endpointId}').security).toEqual([{ oauthHmacSha1: [] }])
    expect(postAt('/api/v4/transfer/{endpointId}').security).toEqual([{ oauthRsaSha256: [] }])
    expect(document.components.securitySchemes).toMatchObject({
      oauthHmacSha1: { type: 'http', scheme: 'OAuth', description: expect.stringContaining('HMAC-SHA1') },
      oauthRsaSha256: { type: 'http', scheme: 'OAuth', description: expect.stringContaining('RSA-SHA256') },
    })
  })

  test('[G12-05] a profile decides how payout-form is signed and whether the body repeats the header', () => {
    const brand = defineProfile({
      baseUrl: 'https://gate.example.com/paynet',
      payoutFormMethod: 'RSA-SHA256',
      oauthInBody: false,
    })
    const path = '/api/v2/payout-form/{endpointId}'
    expect(postAt(path).security).toEqual([{ oauthHmacSha1: [] }])
    const branded = postAt(path, openApiDocument(brand))
    expect(branded.security).toEqual([{ oauthRsaSha256: [] }])
    expect(postAt('/api/v4/payout-form/{endpointId}')).toMatchObject({
      operationId: 'payoutFormV4',
      security: [{ oauthRsaSha256: [] }],
    })
    expect(branded.requestBody.content).toEqual({
      'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/PayoutFormRequest' } },
    })
  })

  test('what the specification does not show is marked', () => {
    expect(postAt('/api/v2/sale/{endpointId}')['x-tallystick-auth-origin']).toBe('stated')
    expect(postAt('/api/v2/get-card-info/{endpointId}')['x-tallystick-auth-origin']).toBe('filled in')
  })
})

describe('responses', () => {
  test.each(operations)(
    '[S4-06] [S4-07] [S4-08] [S7-01] [S7-02] [S7-03] of %s are 200, 400, 403 and 500',
    (_key, operation) => {
      const { responses } = postAt(`${operation.path}/{endpointId}`)
      expect(responses).toEqual({
        '200': {
          description: operation.reply.meaning,
          content: { 'application/vnd.pay+json': { schema: { $ref: `#/components/schemas/${operation.reply.name}` } } },
        },
        '400': { $ref: '#/components/responses/ValidationError' },
        '403': { $ref: '#/components/responses/Forbidden' },
        '500': { $ref: '#/components/responses/ServerError' },
      })
    },
  )

  test('[S4-07] [S4-08] [S7-01] [S7-02] [S7-03] that all share are described once', () => {
    const content = (name: string) => ({
      'application/vnd.pay+json': { schema: { $ref: `#/components/schemas/${name}` } },
    })
    const { ValidationError, Forbidden, ServerError } = document.components.responses
    expect(ValidationError?.content).toEqual(content('ValidationErrorResponse'))
    expect(ServerError?.content).toEqual(content('ServerErrorResponse'))
    expect(Forbidden).toEqual({
      description: 'The signature is bad. The specification does not state the form of the body.',
    })
  })
})

const models = new Map<string, Model>(
  [
    ...operations.flatMap(([, { request, reply }]) => [request, reply]),
    ValidationErrorResponse,
    ServerErrorResponse,
  ].map((model) => [model.name, model]),
)

describe('schemas', () => {
  test('[S2-12] [S2-13] are the 22 and 8 requests, the 9 and 4 replies and the two of authentication', () => {
    expect(models.size).toBe(43)
    expect(Object.keys(document.components.schemas).sort()).toEqual(
      [...models.keys(), 'Control', 'OAuthParameters'].sort(),
    )
  })

  test.each([...models])('%s has every field by its wire name', (name, model) => {
    const schema = document.components.schemas[name]
    expect(schema?.description).toBe(model.meaning)
    const fields = Object.entries(model.fields)
    expect(Object.keys(schema?.properties ?? {})).toEqual(fields.map(([, { wireName }]) => wireName))
    const required = fields.filter(([, { necessity }]) => necessity === 'required')
    expect(schema?.required).toEqual(required.map(([, { wireName }]) => wireName))
    for (const [field, { wireName, format, meaning, condition }] of fields) {
      const property = schema?.properties[wireName]
      expect(property).toMatchObject({ ...format.wire, description: meaning, 'x-tallystick-name': field })
      expect(property?.['x-tallystick-required']).toBe(condition)
    }
  })

  test('say what is stated and what is filled in', () => {
    const { properties } = document.components.schemas['SaleRequest'] ?? {}
    expect(properties?.['client_orderid']).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 128,
      description: "The merchant's own id of the order.",
      'x-tallystick-name': 'clientOrderId',
      'x-tallystick-origin': 'stated, part 2; bounds filled in, part 3.1',
      'x-tallystick-aliases': ['client-order-id', 'client-orderid'],
    })
    expect(properties?.['state']).toMatchObject({ 'x-tallystick-required': 'when country is US, CA or AU' })
    expect(properties?.['site_url']).toMatchObject({ 'x-tallystick-origin': 'filled in, part 3.1' })
    expect(document.components.schemas['TransferRequest']?.['x-tallystick-origin']).toBe('filled in')
    expect(document.components.schemas['SaleRequest']?.['x-tallystick-origin']).toBe('stated')
  })

  test('have the names of a profile', () => {
    const brand = defineProfile({
      baseUrl: 'https://gate.example.com/paynet',
      wireNames: { SaleRequest: { clientOrderId: 'order' } },
    })
    const branded = openApiDocument(brand)
    expect(branded.components.schemas['SaleRequest']?.required).toContain('order')
    expect(postAt('/api/v2/sale/{endpointId}', branded)['x-tallystick-control']).toBe(
      'endpointId + order + amount + email + key',
    )
  })
})
