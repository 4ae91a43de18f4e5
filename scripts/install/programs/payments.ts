/** Pays at the shop of the README, as a customer does. */
const printed = (wanted: RegExp) =>
  new Promise<string>((resolve) => {
    const print = console.log
    console.log = (...parts: readonly unknown[]) => {
      const line = parts.join(' ')
      if (wanted.test(line)) resolve(line)
      print(...parts)
    }
  })

const listening = printed(/127\.0\.0\.1:3000/)
const isPaid = printed(/is paid/)
await import('./shop.ts')
await listening
const page = await (await fetch('http://127.0.0.1:3000')).text()
const action = /action="([^"]+)"/.exec(page)?.[1] ?? ''
const press = async () => await fetch(`http://127.0.0.1:3000${action}`, { method: 'POST', redirect: 'manual' })
const form = (await press()).headers.get('location') ?? ''
const card = { credit_card_number: '4444555566661111', expiry: '12/39', cvv2: '123', card_printed_name: 'A BUYER' }
await fetch(form, { method: 'POST', body: new URLSearchParams(card) })
const line = await isPaid
if (!/^invoice \S+ is paid: 10\.42 EUR$/.test(line)) throw new Error(`the shop was told: ${line}`)
const thanks = await (await press()).text()
if (!thanks.startsWith('Thank you.')) throw new Error(`the paid customer reads: ${thanks}`)
process.exit(0)

export {}
