/** What a shop can be written with. */

/** Where the shop's own part is put, which is the same on each framework. */
export const FRAMEWORKS = {
  express: { title: 'Express', shop: 'src' },
  nest: { title: 'Nest', shop: 'src' },
  fastify: { title: 'Fastify', shop: 'src' },
  hono: { title: 'Hono', shop: 'src' },
  next: { title: 'Next (app router)', shop: 'lib' },
} as const

/** What stores the payments and the shop's own tables. */
export const DATABASES = {
  sqlite: { title: 'SQLite, in a file: nothing to install', dependencies: {}, types: {}, settings: {} },
  postgres: {
    title: 'PostgreSQL, through pg',
    dependencies: { pg: '^8.23.1' },
    types: { '@types/pg': '^8.23.1' },
    settings: { DATABASE_URL: 'postgres://postgres@127.0.0.1:5432/shop' },
  },
  mysql: {
    title: 'MySQL or MariaDB, through mysql2',
    dependencies: { mysql2: '^3.24.6' },
    types: {},
    settings: { DATABASE_URL: 'mysql://root@127.0.0.1:3306/shop' },
  },
} as const

export type Framework = keyof typeof FRAMEWORKS
export type Database = keyof typeof DATABASES

export function isFramework(name: string): name is Framework {
  return Object.hasOwn(FRAMEWORKS, name)
}

export function isDatabase(name: string): name is Database {
  return Object.hasOwn(DATABASES, name)
}
