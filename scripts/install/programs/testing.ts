import { saleInput, startGateway } from '@tallystick/testing'

const gateway = await startGateway()
const { outcome } = await gateway.client().sale(saleInput())
await gateway.settled()
await gateway.close()
if (outcome !== 'accepted') throw new Error(`a sale is ${outcome}`)
