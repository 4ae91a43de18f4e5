import { AsyncResponse } from '../replies/async.ts'
import { TdsCResResultRequest, TdsMethodUrlResultRequest, TdsPaResResultRequest } from '../requests/three-ds.ts'
import { control, defineOperation } from './operation.ts'

/** Uploads of 3DS results (interface part 4). A group is addressed by its bare id (gaps part 1). */

const upload = {
  reply: AsyncResponse,
  auth: control('login', 'clientOrderId', 'orderId'),
  effect: 'uploads',
  groupAddress: 'bare',
} as const

export const uploadCresResult = defineOperation({
  name: 'TDS_UPLOAD_CRES_RESULT',
  path: '/api/3ds/v1/upload-cres-result',
  request: TdsCResResultRequest,
  meaning: 'Uploads the CRes that the issuer returned at the end of a 3DS 2.x challenge.',
  ...upload,
})

export const uploadMethodUrlResult = defineOperation({
  name: 'TDS_UPLOAD_METHOD_URL_RESULT',
  path: '/api/3ds/v1/upload-method-url-result',
  request: TdsMethodUrlResultRequest,
  meaning: 'Uploads the result of the 3DS method step.',
  ...upload,
})

export const uploadParesResult = defineOperation({
  name: 'TDS_UPLOAD_PARES_RESULT',
  path: '/api/3ds/v1/upload-pares-result',
  request: TdsPaResResultRequest,
  meaning: 'Uploads the PaRes of a 3DS 1.0.2 flow.',
  ...upload,
})
