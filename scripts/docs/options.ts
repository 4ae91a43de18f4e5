/** Tables of options, from the types as the compiler knows them, with what they inherit, pick, omit and combine. */
import { join } from 'node:path'
import ts from 'typescript-5'
import { root } from '../workspace.ts'
import { code, table } from './markdown.ts'

/** A type, or a function whose first parameter takes the options. */
export interface OptionsType {
  /** The path of the module that exports it. */
  readonly module: string
  /** With `<View>` if it needs a type argument, and with `['name']` if one of its properties is wanted. */
  readonly name: string
}

interface Property {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  /** The text of its doc comment; empty if there is none. */
  readonly doc: string
}

const SETTINGS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  customConditions: ['@tallystick/source'],
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
}

/** A file that does not exist, in which each type is used: there its type parameters have their defaults. */
const USER = join(root, 'uses-options.ts')

/** @throws Error if a module does not export what is wanted */
export function optionsTables(wanted: readonly OptionsType[]): readonly string[] {
  const { types, checker } = typesUsed(wanted.map(useOf))
  return types.map((type, at) => {
    if ((type.flags & ts.TypeFlags.Any) !== 0) throw new Error(`${wanted[at]?.module} exports no ${wanted[at]?.name}`)
    return optionsTable((type.isUnion() ? type.types : [type]).map((part) => propertiesOf(part, checker)))
  })
}

/** The texts that a type allows, such as the codes of an error. */
export function literalsOf(wanted: readonly OptionsType[]): readonly (readonly string[])[] {
  const { types } = typesUsed(wanted.map(useOf))
  return types.map((type) =>
    (type.isUnion() ? type.types : [type]).flatMap((part) => (part.isStringLiteral() ? [part.value] : [])),
  )
}

/** Types as the compiler resolves them. */
function typesUsed(written: readonly string[]) {
  const host = ts.createCompilerHost(SETTINGS)
  const { getSourceFile, fileExists } = host
  const source = ts.createSourceFile(
    USER,
    ['interface View {}', ...written.map((type, at) => `export declare const use${at}: ${type}`)].join('\n'),
    ts.ScriptTarget.ES2023,
  )
  host.getSourceFile = (path, ...rest) => (path === USER ? source : getSourceFile(path, ...rest))
  host.fileExists = (path) => path === USER || fileExists(path)
  const checker = ts.createProgram([USER], SETTINGS, host).getTypeChecker()
  const module = checker.getSymbolAtLocation(source)
  const uses = module === undefined ? [] : checker.getExportsOfModule(module)
  return { types: uses.map((use) => checker.getTypeOfSymbol(use)), checker }
}

function useOf({ module, name }: OptionsType): string {
  const used = `import(${JSON.stringify(module)}).${name}`
  const isFunction = /^[a-z]/.test(name)
  return isFunction ? `Parameters<typeof ${used}>[0]` : used
}

/** Not those that may only be left out. */
function propertiesOf(type: ts.Type, checker: ts.TypeChecker): readonly Property[] {
  return checker.getPropertiesOfType(type).flatMap((property) => {
    const types = typesOf(property, checker)
    if (types.some((each) => NOTHING.test(each))) return []
    const isRequired = (property.flags & ts.SymbolFlags.Optional) === 0
    const doc = ts.displayPartsToString(property.getDocumentationComment(checker)).replaceAll(/\s+/g, ' ')
    return { name: property.name, type: types.join(' & '), isRequired, doc }
  })
}

const NOTHING = /^(?:undefined|never|\{ (?:\w+\?: undefined;? ?)+\})$/
const IN_FULL = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType
/** A type parameter, which has one letter, or what depends on one. */
const PARAMETER = /\b[A-Z]\b/

/** As they are written, or as the compiler resolves them if they depend on a type parameter. Whole types instead of their parts. */
function typesOf(property: ts.Symbol, checker: ts.TypeChecker): readonly string[] {
  const texts = (property.declarations ?? []).map((each) => {
    const written = ts.isPropertySignature(each) ? (each.type?.getText() ?? '') : 'T'
    if (!PARAMETER.test(written)) return written
    return checker.typeToString(checker.getTypeOfSymbol(property), undefined, IN_FULL)
  })
  const types = texts.map((text) => {
    const short = text
      .replaceAll(/\s+/g, ' ')
      .replace(/^\| /, '')
      .replaceAll('readonly ', '')
      .replaceAll(/(\?: [^;,(){}]+) \| undefined/g, '$1')
      .replace(/^\((.+)\) \| undefined$|^([^=]+) \| undefined$/, '$1$2')
    const whole = short.includes('=>') ? short : short.replaceAll(/\b(?:Pick|Omit)<(\w+), [^<>]+>/g, '$1')
    return whole.replaceAll(/\b(\w+) & Partial<\1>/g, '$1')
  })
  return [...new Set(types)]
}

/** The required options come first. Of parts of which one is given, each has its own. */
function optionsTable(parts: ReadonlyArray<readonly Property[]>): string {
  const rows = [...Map.groupBy(parts.flat(), ({ name }) => name)].map(([name, same]) => {
    const { meaning, standard = 'none' } = readDoc([...new Set(same.map(({ doc }) => doc))].join(' '))
    const types = [...new Set(same.map(({ type }) => type))].join(' | ')
    return [code(name), code(types), requirement(name, same, parts) ?? standard, meaning]
  })
  const isRequired = ([, , given = '']: readonly string[]) => given.startsWith('required')
  const ordered = [...rows.filter(isRequired), ...rows.filter((row) => !isRequired(row))]
  return table(['Option', 'Type', 'Default', 'Meaning'], ordered)
}

/** Whether an option is required; if only some parts have it, which ones the others require instead. */
function requirement(name: string, same: readonly Property[], parts: ReadonlyArray<readonly Property[]>) {
  if (!same.every(({ isRequired }) => isRequired)) return undefined
  const has = (part: readonly Property[]) => part.some((other) => other.name === name)
  const own = parts.filter(has).flatMap((part) => part.map((other) => other.name))
  const others = parts.filter((part) => !has(part)).flat()
  const instead = others.filter((other) => other.isRequired && !own.includes(other.name))
  const names = [...new Set(instead.map((other) => code(other.name)))]
  if (names.length > 0) return `required, or ${names.join(', ')}`
  return same.length === parts.length ? 'required' : undefined
}

/** References to the source of a fact are only for people who change the code. */
const ORIGIN = / \((?:gaps|conflict|specification)[^)]*\)/g
const STANDARD = /(?:^| )Default:? (.+?)\.(?= |$)/

/** Splits a doc comment into the meaning of an option and its default: the sentence that begins with "Default". */
export function readDoc(doc: string): { readonly meaning: string; readonly standard: string | undefined } {
  const text = doc.replaceAll(ORIGIN, '').replaceAll(/\{@link ([^}]+?) ?\}/g, '`$1`')
  return { meaning: text.replace(STANDARD, '').trim(), standard: STANDARD.exec(text)?.[1] }
}
