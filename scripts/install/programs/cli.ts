import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/** Runs the command as it was installed. */
const tallystick = (...args: readonly string[]) =>
  execFileSync('node_modules/.bin/tallystick', [...args], { encoding: 'utf8' })

writeFileSync('control.key', 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20\n')
const fields = ['client_orderid=902B4FF5', 'amount=10.42', 'email=john.smith@gmail.com']
const signed = tallystick('sign', 'sale', '--endpoint', '1111', '--key-file', 'control.key', ...fields)
if (!signed.includes('c6bdd88a78834ef4b863b088827a459f039e8257')) throw new Error(signed)
if (!tallystick('gateway', '--help').includes('--sandbox')) throw new Error('the gateway does not run')
if (!/^\d+\.\d+\.\d+\n$/.test(tallystick('--version'))) throw new Error('there is no version')
