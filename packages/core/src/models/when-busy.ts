import * as z from 'zod'

/**
 * How often a schema is used before it is compiled. Compiling the longest takes as long as some hundreds of its checks
 * save, so that a program with a few requests to send is better off without.
 */
export const BUSY = 500

/**
 * A schema that is made when it is first asked for, and compiled by zod once it is busy: a check then takes a quarter of
 * the time. The compiled one hands whatever it does not take to the plain one, which finds the issues, so both say the
 * same. Where the program forbids making functions from text (`jitless`, or a policy), the plain one stays.
 */
export function compiledWhenBusy<Schema extends z.ZodType>(make: () => Schema): () => Schema {
  let schema: Schema | undefined
  let uses = 0
  return () => {
    schema ??= make()
    uses++
    if (uses === BUSY && z.config().jitless !== true) schema = z.compile(schema)
    return schema
  }
}
