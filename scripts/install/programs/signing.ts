import { signControl, verifyControl } from '@tallystick/signing'

const terms = ['253', 'order-1-x', '1042', 'john@example.com']
const key = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const control: string = signControl({ terms, key })
if (!verifyControl({ terms, key, control }).ok) throw new Error('a right control was refused')
if (verifyControl({ terms: [...terms, '1'], key, control }).ok) throw new Error('a wrong control was accepted')
