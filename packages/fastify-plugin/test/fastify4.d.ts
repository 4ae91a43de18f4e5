/** Fastify 4. The types that are used here are the same as in Fastify 5. */
declare module 'fastify4' {
  import fastify from 'fastify'

  export default fastify
}
