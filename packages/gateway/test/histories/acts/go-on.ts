import { merchantsWith } from '../merchants.ts'
import type { StepOf } from '../steps.ts'
import type { Table } from '../table.ts'
import { rotatedKeys } from '../vault-keys.ts'

const DAY = 86_400_000

/** The gateway's process is killed, and another started with what the operator has changed. */
export async function restart(
  { clockBack, newVaultKey, newControlKey, notifyUrl, takesDollars, servesBoth }: StepOf<'restart'>,
  table: Table,
): Promise<void> {
  const { controlKeys } = table.configuration
  const changed = newControlKey ? { shop: `key ${table.nextName()} of the shop` } : {}
  table.configurations.push({ controlKeys: { ...controlKeys, ...changed }, notifyUrl, takesDollars, servesBoth })
  if (newVaultKey) table.keys = rotatedKeys(table.keys, `k${table.nextName()}`)
  const setup = { merchants: merchantsWith(table.configuration), keys: table.keys, mayRepeat: table.mayRepeat }
  // Set back again while it is behind, the clock could be behind by more than 300 s, and nonces are refused then.
  const isBehind = table.now < table.latest
  for (const side of table.sides) await side.restart(setup, isBehind ? 0 : clockBack)
  table.count('restart')
}

/** Time passes, perhaps while the shop is down. */
export async function goOn({ by, shopIsDown, mood: { isShut } }: StepOf<'go on'>, table: Table): Promise<void> {
  if (isShut) table.bankWasShut = true
  const isDown = shopIsDown && by <= DAY
  if (isDown) table.shopWasDown = true
  for (const side of table.sides) {
    side.shop(!isDown)
    await side.goOn(by)
    side.shop(true)
  }
}
