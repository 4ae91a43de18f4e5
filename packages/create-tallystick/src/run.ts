import { parseArgs } from 'node:util'
import { DATABASES, FRAMEWORKS, isDatabase, isFramework } from './choices.ts'
import { RefusedError, type Wanted } from './write-shop.ts'

export const HELP = `npm create tallystick [FOLDER] -- [options]

Writes a small shop that takes payments, with a test. Asks for what is not given.

  --framework NAME   ${Object.keys(FRAMEWORKS).join(', ')}
  --database NAME    ${Object.keys(DATABASES).join(', ')}
  --yes              asks nothing: Express and SQLite, in my-shop, unless something else is given
  --help             this text
  --version          the version
`

export interface Asked extends Partial<Wanted> {
  readonly yes: boolean
  readonly help: boolean
  readonly version: boolean
}

/** What is asked when nobody answers. */
export const DEFAULTS: Wanted = { folder: 'my-shop', framework: 'express', database: 'sqlite' }

/** @throws RefusedError for an option or a value that there is not */
export function readArguments(given: readonly string[]): Asked {
  const { values, positionals } = parsed(given)
  const { framework, database, yes = false, help = false, version = false } = values
  const [folder, second] = positionals
  if (second !== undefined) throw new RefusedError(`one folder is written, and ${second} is a second one`)
  if (framework !== undefined && !isFramework(framework)) throw unknown('framework', framework, FRAMEWORKS)
  if (database !== undefined && !isDatabase(database)) throw unknown('database', database, DATABASES)
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(framework === undefined ? {} : { framework }),
    ...(database === undefined ? {} : { database }),
    yes,
    help,
    version,
  }
}

function parsed(given: readonly string[]) {
  try {
    return parseArgs({
      args: [...given],
      allowPositionals: true,
      options: {
        framework: { type: 'string' },
        database: { type: 'string' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new RefusedError(error instanceof Error ? error.message : String(error))
  }
}

function unknown(what: string, name: string, known: object): RefusedError {
  return new RefusedError(`there is no ${what} ${name}; there are ${Object.keys(known).join(', ')}`)
}

/** What to do next, for who made the shop. */
export function nextSteps({ folder, framework, database }: Wanted): string {
  const needsServer = database !== 'sqlite'
  return `A shop on ${FRAMEWORKS[framework].title} is in ${folder}.

  cd ${folder}
  npm install
${needsServer ? '  export DATABASE_URL=...   an empty database\n' : ''}  npm run dev    the shop, with a gateway in the same process: open it and pay
  npm test       its test

With the keys of a gateway: fill in .env.example as .env, and npm start reads it.
`
}
