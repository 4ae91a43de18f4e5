import { UsageError } from '../arguments/parse.ts'
import type { Command } from '../command.ts'
import { certifyGateway } from './gateway/certify-gateway.ts'
import { SHOP_HELP } from './shop/help.ts'

const certifyShop: Command = {
  name: 'shop',
  summary: 'tries a shop, written in whatever, against everything that goes wrong',
  help: SHOP_HELP,
  run: async (args, world) => {
    // Loaded only here: no other command needs a gateway and a customer of its own.
    const { runCertifyShop } = await import('./shop/certify-shop.ts')
    return await runCertifyShop(args, world)
  },
}

const PARTS = [certifyGateway, certifyShop]

export const certify: Command = {
  name: 'certify',
  summary: 'tries a gateway or a shop, and says what is wrong with it',
  help: [
    'tallystick certify: tries one half of the interface against the other, and says what is wrong with it',
    { heading: 'Usage', commands: ['tallystick certify shop --help', 'tallystick certify gateway --help'] },
    { heading: 'Commands', rows: PARTS.map(({ name, summary }) => [`certify ${name}`, summary]) },
  ],
  parts: PARTS,
  run: async (args, world) => {
    const [what] = args
    // As it was called before there was a `certify shop`.
    if (what === undefined || what.startsWith('-')) return await certifyGateway.run(args, world)
    throw new UsageError(`there is no certify ${what}: write certify shop or certify gateway`)
  },
}
