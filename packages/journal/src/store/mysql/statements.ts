import { MARKER, TABLES } from '../schema/migrations.ts'
import { type Statements, schemaBefore } from '../session/server.ts'
import { MYSQL, mysqlErrorOf } from './mysql-errors.ts'

const inSchema = schemaBefore(new RegExp(`\`(?:${[...TABLES, MARKER].join('|')})\``, 'g'), '`')

/** The last value of a statement: a prepared one of MySQL takes no number there that JavaScript has. */
const LIMIT = /(?<=\blimit )\?(?= for update|$)/

/** How statements of ours are run on MySQL: they mean the same tables whatever database the connection uses. */
export const statements: Statements = {
  statement: ({ sql, parameters }, schema) => {
    const text = inSchema(sql, schema)
    const limit = Number(parameters.at(-1))
    if (!LIMIT.test(text)) return { text, values: parameters }
    return { text: text.replace(LIMIT, String(limit)), values: parameters.slice(0, -1) }
  },
  isTableGone: (error) => {
    const { code, message = '' } = mysqlErrorOf(error) ?? {}
    return (code === MYSQL.NO_SUCH_TABLE && /journal_/.test(message)) || code === MYSQL.UNKNOWN_DATABASE
  },
}
