/** What the hidden frame posts to the method URL (EMV 3-D Secure; gaps part 8): JSON in base64url. */
export function hiddenFieldsOfMethod(threeDSServerTransID: string, threeDSMethodNotificationURL: string) {
  const data = JSON.stringify({ threeDSServerTransID, threeDSMethodNotificationURL })
  return { threeDSMethodData: Buffer.from(data).toString('base64url') }
}
