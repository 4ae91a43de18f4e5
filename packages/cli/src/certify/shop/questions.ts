import type { World } from '../../world.ts'
import { readShopFile } from './shop-file.ts'

/** Asks for what a file must have, and writes it. @returns its text */
export async function askForFile(file: string, world: World): Promise<string> {
  const { ask, warn, write } = world
  warn(
    `There is no ${file} here. A few questions, and there is one; tallystick certify shop --help says what else it may have.`,
  )
  const begin = await ask('How does a customer begin to pay? (POST http://127.0.0.1:8080/invoices/{order}/pay) ')
  const request = await ask('Where does the shop show what became of it? (GET http://127.0.0.1:8080/invoices/{order}) ')
  const paid = await ask('A word that this shows if the order is paid? (is paid) ')
  const notPaid = await ask('If the payment came to nothing? (was declined|has expired) ')
  const pending = await ask('If that is not known yet? (not yet) ')
  const start = await ask('The command that runs the shop? (nothing, if it runs already) ')
  const outcome = { request, paid, notPaid, pending }
  const text = `${JSON.stringify({ ...(start === '' ? {} : { start }), begin, outcome }, null, 2)}\n`
  // Before it is written: what is wrong with an answer is said at once.
  readShopFile(text, file)
  write(file, text)
  warn(`${file} is written.`)
  return text
}
