/** The shops that the command writes are those of `examples/frameworks`: copies them beside the other templates. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { FRAMEWORKS } from './src/choices.ts'

const examples = join(import.meta.dirname, '..', '..', 'examples', 'frameworks')
const copies = join(import.meta.dirname, 'templates', 'frameworks')

rmSync(copies, { recursive: true, force: true })
for (const framework of Object.keys(FRAMEWORKS)) {
  const filter = (path: string) => !/[/\\](?:node_modules|dist|\.next)$/.test(path)
  cpSync(join(examples, framework), join(copies, framework), { recursive: true, filter })
}
cpSync(join(examples, 'shop.ts'), join(copies, 'shop.ts'))
cpSync(join(examples, 'databases'), join(copies, 'databases'), { recursive: true })
