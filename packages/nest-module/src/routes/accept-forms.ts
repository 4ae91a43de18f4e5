import type { HttpAdapterHost } from '@nestjs/core'

const FORM = 'application/x-www-form-urlencoded'

/** The part of a Fastify instance that is used here. */
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
 * Fastify answers 415 to a body that it has no parser for, before any route sees it, and an app created with
 * `bodyParser: false` has none for forms. This adds one that leaves them as text, for every route, unless the app has a parser
 * for forms. An app's parser for `*` does not count, because Fastify does not reveal it.
 */
export function acceptForms({ httpAdapter }: HttpAdapterHost): void {
  if (httpAdapter?.getType() !== 'fastify') return
  httpAdapter.getInstance<FastifyInstance>().register(Object.assign(addParser, ON_THE_APP_ITSELF))
}

/** A plugin, so that everything that the app has registered until now is loaded before it. */
function addParser(fastify: FastifyInstance, _options: unknown, done: () => void): void {
  if (!fastify.hasContentTypeParser(FORM)) {
    fastify.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, ready) => ready(null, body))
  }
  done()
}

/** Without this, a Fastify plugin only affects what is registered within it. */
const ON_THE_APP_ITSELF = { [Symbol.for('skip-override')]: true }
