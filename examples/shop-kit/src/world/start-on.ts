/** Starts on the port that was asked for. Without one, on the usual port, or on any free one if that is taken. */
export async function startOn<T>(
  asked: number | undefined,
  usual: number,
  start: (port: number) => Promise<T>,
): Promise<T> {
  try {
    return await start(asked ?? usual)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
    if (asked !== undefined) throw new Error(`port ${asked} is taken; choose another`, { cause: error })
    return await start(0)
  }
}
