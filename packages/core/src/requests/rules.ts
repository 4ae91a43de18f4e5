import type { Rule } from '../models/model.ts'

/** Rules over several fields of a request. Each names the field to fix. */

type Values = Readonly<Record<string, unknown>>

const has = (values: Values, name: string) => values[name] !== undefined

/** The first of the fields that is absent, as an issue. */
function firstAbsent(values: Values, names: readonly string[], condition: string) {
  const absent = names.find((name) => !has(values, name))
  return absent === undefined
    ? undefined
    : { field: absent, problem: `is required ${condition}`, remedy: 'Supply it, or leave out what requires it.' }
}

/** All of the fields or none of them. */
export function together(...names: readonly [string, ...string[]]): Rule {
  return (values) => {
    const given = names.find((name) => has(values, name))
    return given === undefined ? undefined : firstAbsent(values, names, `with ${given}`)
  }
}

/** Exactly one of the ways, each named by the field that starts it. */
export function exactlyOne(...ways: readonly [string, ...string[]]): Rule {
  const choice = ways.join(', ')
  return (values) => {
    const first = ways.find((name) => has(values, name))
    if (first === undefined) {
      const problem = `is required unless another of ${choice} is given`
      return { field: ways[0], problem, remedy: 'Supply exactly one.' }
    }
    const second = ways.find((name) => name !== first && has(values, name))
    if (second === undefined) return undefined
    return { field: second, problem: `excludes ${first}`, remedy: `Supply exactly one of ${choice}.` }
  }
}

/** One of the ways or none, each named by the field that starts it. */
export function atMostOne(...ways: readonly [string, ...string[]]): Rule {
  const one = exactlyOne(...ways)
  return (values) => (ways.some((name) => has(values, name)) ? one(values) : undefined)
}

/** The other fields are required when the first has one of the values. */
export function requiredWhen(name: string, expected: readonly unknown[], names: readonly string[]): Rule {
  const condition = `when ${name} is ${expected.join(', ')}`
  return (values) => (expected.includes(values[name]) ? firstAbsent(values, names, condition) : undefined)
}

/** The other fields are required when the first is there. */
export function requiredWith(name: string, ...names: readonly string[]): Rule {
  return (values) => (has(values, name) ? firstAbsent(values, names, `with ${name}`) : undefined)
}

/** A payment that ends before it begins is a mistake, with a schedule or without (gaps part 3.4). Days compare as texts. */
export const datesInOrderRule: Rule = ({ startDate, finishDate }) =>
  typeof startDate === 'string' && typeof finishDate === 'string' && finishDate < startDate
    ? {
        field: 'finishDate',
        problem: 'must not be before startDate',
        remedy: 'Send a later day, or leave one of them out.',
      }
    : undefined

/** Country US, CA and AU need a state (gaps part 3.1). */
export const stateRule: Rule = requiredWhen('country', ['US', 'CA', 'AU'], ['state'])

/** Amount and currency come together or not at all (interface part 3, rules 2 and 5; gaps part 3.2). */
export const moneyTogetherRule: Rule = together('amount', 'currency')

/** The card itself with all its fields, or exactly one reference (gaps part 3.1 and 13). */
export const cardSourceRules: readonly Rule[] = [
  exactlyOne('cardNumber', 'cardRefId', 'cardRecurringPaymentId'),
  requiredWith('cardNumber', 'cardPrintedName', 'expireMonth', 'expireYear', 'cvv2'),
]

/** What the browser group needs when it is announced (gaps part 3.1; the screen fields by EMV's rule for scripts). */
export const browserRules: readonly Rule[] = [
  requiredWhen(
    'browserInfo',
    [true],
    ['browserAcceptHeader', 'browserUserAgent', 'browserJavascriptEnabled', 'browserLanguage', 'customerIp'],
  ),
  (values) =>
    values['browserInfo'] === true
      ? requiredWhen(
          'browserJavascriptEnabled',
          [true],
          ['browserJavaEnabled', 'browserColorDepth', 'browserScreenWidth', 'browserScreenHeight', 'browserTimeZone'],
        )(values)
      : undefined,
]

const oneSender = exactlyOne('cardNumber', 'cardRecurringPaymentId', 'depositToCard')

/** Who pays for a transfer: a card, a reference to one, or the deposit if the flag says so (gaps part 3.4). */
export const transferSenderRule: Rule = ({ depositToCard, ...others }) =>
  oneSender(depositToCard === true ? { ...others, depositToCard } : others)

/** What a payout goes to, unless it goes to a phone; each way is named by the field that starts it (gaps part 3.2 and 13). */
const PAYOUT_WAYS = ['cardNumber', 'destinationCardRefId', 'accountNumber', 'destinationWallet'] as const

/** The fields that only one of the ways has, each with the field that starts it. */
const PAYOUT_WAY_OF = {
  cardPrintedName: 'cardNumber',
  expireMonth: 'cardNumber',
  expireYear: 'cardNumber',
  routingNumber: 'accountNumber',
  bankBranch: 'accountNumber',
  bankProvince: 'accountNumber',
  bankCity: 'accountNumber',
  destinationWalletType: 'destinationWallet',
}

/**
 * One destination of a payout (gaps part 3.2); a phone alone means the fast payment system (gaps part 13). If there is a part of
 * another destination, its first field was forgotten: the money must not go to the phone of the payer instead.
 */
export const payoutDestinationRule: Rule = (values) => {
  if (PAYOUT_WAYS.some((way) => has(values, way))) return exactlyOne(...PAYOUT_WAYS)(values)
  const begun = Object.entries(PAYOUT_WAY_OF).find(([part]) => has(values, part))
  if (begun !== undefined) return requiredWith(...begun)(values)
  const byPhone = has(values, 'receiverPhone') || has(values, 'phone')
  return byPhone ? undefined : exactlyOne(...PAYOUT_WAYS, 'receiverPhone')(values)
}
