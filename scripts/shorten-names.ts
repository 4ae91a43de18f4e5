/**
 * Rewrites the built modules of a package without white space, with one or two letters for parameters, variables and private
 * members. Functions and classes keep their names, so that stack traces show them and an error has the name of its class.
 * Part of the build of the packages that a merchant installs; runs in the package's folder, after `tsup`.
 *
 *     node ../../scripts/shorten-names.ts
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { minify } from 'terser'

/** A function that is not exported and is called more often is a word of the catalogue, such as `optional`, which cannot fail. */
const MOST_CALLS = 15

/** Node prints the line that threw an uncaught error, so lines must not be too long. */
const LONGEST_LINE = 500

for (const file of globSync('dist/*.js')) writeFileSync(file, await shorter(readFileSync(file, 'utf8')))

/** Does not inline functions, so that each is a frame of its own in a stack trace. Puts them first: constants then share a `const`. */
async function shorter(code: string): Promise<string> {
  const { code: made } = await minify(code, {
    module: true,
    ecma: 2020,
    compress: { inline: 0, hoist_funs: true, passes: 2, reduce_funcs: false, keep_fnames: true, keep_classnames: true },
    mangle: { reserved: [...namesToKeep(code)] },
    format: { max_line_len: LONGEST_LINE },
  })
  if (made === undefined) throw new Error('terser wrote nothing')
  return made
}

/** The names of functions and classes, however they are declared. */
function namesToKeep(code: string): ReadonlySet<string> {
  const names = new Set<string>()
  const exported = new Set<string>()
  const calls = new Map<string, number>()
  const add = (id: { readonly name: string } | null) => id && names.add(id.name)
  new Visitor({
    FunctionDeclaration: ({ id }) => add(id),
    FunctionExpression: ({ id }) => add(id),
    ClassDeclaration: ({ id }) => add(id),
    ClassExpression: ({ id }) => add(id),
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && /^(?:Class|Function|ArrowFunction)Expression$/.test(init?.type ?? '')) add(id)
    },
    ExportSpecifier: ({ local }) => local.type === 'Identifier' && exported.add(local.name),
    CallExpression: ({ callee }) => {
      if (callee.type === 'Identifier') calls.set(callee.name, (calls.get(callee.name) ?? 0) + 1)
    },
  }).visit(parseSync('module.js', code).program)
  for (const [name, times] of calls) if (times > MOST_CALLS && !exported.has(name)) names.delete(name)
  return names
}
