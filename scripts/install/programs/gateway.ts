import { createGateway, listen } from '@tallystick/gateway'

const gateway = createGateway({
  publicUrl: 'http://127.0.0.1/paynet',
  merchants: [{ login: 'shop', controlKey: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20', endpoints: [{ id: '253' }] }],
  sandbox: true,
})
const listener = await listen((request) => gateway.handle(request))
const { status } = await fetch(`${listener.origin}/paynet/api/v2/sale/253`, { method: 'POST' })
await listener.close()
await gateway.close()
if (status === 200 || status >= 500) throw new Error(`an unsigned sale was answered with ${status}`)
