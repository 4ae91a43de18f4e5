import type { HttpAdapterHost } from '@nestjs/core'

const FORM = 'application/x-www-form-urlencoded'

/** The part of a Fastify instance that is needed. */
interface FastifyInstance {
  hasContentTypeParser(contentType: string): boolean
  addContentTypeParser(
    contentType: string,
    options: { readonly parseAs: 'string' },
    parser: (request: unknown, body: string, done: (error: null, body: string) => void) => void,
  ): unknown
  register(plugin: (instance: FastifyInstance, options: unknown, done: () => void) => void): unknown
}

/**
 * Fastify answers 415 to a body that it has no parser for, before any route sees it, and an app made with
 * `bodyParser: false` has none for forms. There they are kept as text from now on, for every route; a parser of the app for
 * forms goes first. One for `*` alone does not: Fastify does not tell that it is there.
 */
export function acceptForms({ httpAdapter }: HttpAdapterHost): void {
  if (httpAdapter?.getType() !== 'fastify') return
  httpAdapter.getInstance<FastifyInstance>().register(Object.assign(addParser, ON_THE_APP_ITSELF))
}

/** As a plugin: what the app has registered until now is loaded before it. */
function addParser(fastify: FastifyInstance, _options: unknown, done: () => void): void {
  if (!fastify.hasContentTypeParser(FORM)) {
    fastify.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, ready) => ready(null, body))
  }
  done()
}

/** Without it a plugin of Fastify only has an effect on what is registered within itself. */
const ON_THE_APP_ITSELF = { [Symbol.for('skip-override')]: true }
