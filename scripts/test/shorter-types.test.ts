import { expect, test } from 'vitest'
import { reused } from '../shorter-types/reused.ts'
import { shared } from '../shorter-types/shared.ts'
import { shorter } from '../shorter-types/shorter.ts'
import { shorterComment } from '../shorter-types/shorter-comment.ts'

test('a comment has each paragraph and each tag on a line, and no asterisks before them', () => {
  const comment = `/**
 * Sends it
 * once.
 *
 * - one
 * - another, which
 *   goes on
 *
 * @throws TypeError when it
 *   cannot
 */`
  expect(shorterComment(comment)).toBe(
    '/**Sends it once.\n\n- one\n- another, which goes on\n\n@throws TypeError when it cannot*/',
  )
})

test('a sample in a comment keeps its lines', () => {
  const comment = `/**
 * Waits:
 *
 *     await one()
 *     await another()
 */`
  expect(shorterComment(comment)).toBe('/**Waits:\n * \n *     await one()\n *     await another()*/')
})

test('a comment keeps the standards that it cites, but not our specification', () => {
  const comment = `/**
 * Encodes (specification part 5.2, gaps part 7).
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.6 RFC 5849 section 3.6}; specification
 *   part 5.2
 * @see gaps part 13
 */`
  expect(shorterComment(comment)).toBe(
    '/**Encodes.\n\n@see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.6 RFC 5849 section 3.6}*/',
  )
})

test('declarations have no needless white space, and one import for each module', () => {
  const declarations = `import { A } from 'one';
import type { B } from 'one';
import { C } from 'two';

/** What is given. */
export declare interface Given extends A {
    /** Its name: \`a, b\`. */
    readonly name?: 'a , b' | B | undefined;
    read(input: C): Promise<void>;
}

/** What nobody can name. */
declare type Kept = readonly [first: string, second: "x = y"];

export { }
`
  expect(shorter(declarations)).toBe(`import type{A,B}from 'one'
import type{C}from 'two'
/**What is given.*/export interface Given extends A{/**Its name: \`a, b\`.*/readonly name?:'a , b'|B|undefined
read(input:C):Promise<void>}
type Kept=readonly [first:string,second:"x = y"]
export{}
`)
})

test('the type of a constant is not written again', () => {
  const declarations = `export declare const Reply: Model<Shape<Fields, "a" | "b">>;
export declare const Same: Model<Shape<Fields, "a" | "b">>;
export declare const all: { readonly one: Model<Shape<Fields, "a" | "b">>; };
`
  expect(shared(declarations)).toBe(`export declare const Reply: Model<Shape<Fields, "a" | "b">>;
export declare const Same: typeof Reply;
export declare const all: { readonly one: typeof Reply; };
`)
})

test('the common part of unions gets a name if that is shorter', () => {
  const members = Array.from({ length: 20 }, (_, index) => `"member-${index}"`).join(' | ')
  const declarations = `type One = ${members} | "one";\ntype Other = ${members} | "other";\ntype Few = "a" | "b";\n`
  expect(shared(declarations)).toBe(
    `type One = Names1 | "one";\ntype Other = Names1 | "other";\ntype Few = "a" | "b";\n\ntype Names1 = ${members};\n`,
  )
})

test('exports of the first entry point are imported from there, but not what only they need', () => {
  const first = '/** A brand. */\nexport interface Profile {\n    readonly by: Way;\n}\n\nexport type Way = 1 | 2;\n'
  const other = `/** A brand. */
interface Profile {
    readonly by: Way;
}

export declare function describe(profile: Profile): Document;

/** Its own. */
interface Document {
}

type Way = 1 | 2;

export { }
`
  expect(reused(other, first).replaceAll(/\n+/g, '\n')).toBe(`import { Profile } from './index.js';
export declare function describe(profile: Profile): Document;
/** Its own. */
interface Document {
}
export { }
`)
})
