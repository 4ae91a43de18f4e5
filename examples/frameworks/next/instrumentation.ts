/** With the server, so that what was under way at its end goes on without a customer. With wrong keys it does not start. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] === 'nodejs') {
    const { shop } = await import('./lib/payments')
    await shop().payments.ready()
  }
}
